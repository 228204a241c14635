import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@continuity/embedded-postgres';
import { waitUntil } from '@continuity/testing/servers';
import type { Benchmark } from '../benchmark.ts';
import { startProgram } from '../servers/program.ts';

const mostSeconds = 3;
const giveUpMs = 120_000;

export const start: Benchmark = {
  name: 'start',
  summary: 'how soon the all-in-one service on embedded PostgreSQL is ready, at its second start',
  run: async ({ say }) => {
    const directory = await mkdtemp(join(tmpdir(), 'continuity-bench-data-'));
    try {
      say('start: first start, which makes the database');
      const first = await timeStart(directory);
      say('start: second start');
      const second = await timeStart(directory);
      return {
        throughputs: [],
        findings: [
          {
            what: 'second start of the all-in-one service until /health/ready is 200',
            value: second,
            unit: 's',
            bar: { kind: 'at most', limit: mostSeconds },
            note: `first start ${first.toFixed(2)} s`,
          },
        ],
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Seconds from the start of the process to its first 200. Nothing else is asked of it. */
async function timeStart(directory: string): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const program = await startProgram('services/local/src/main.ts', {
    DATA_DIR: directory,
    PORT: String(port),
  });
  try {
    const isReady = async () => {
      await program.requireAlive();
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      return answer?.status === 200;
    };
    await waitUntil(isReady, { timeoutMs: giveUpMs, what: 'the all-in-one service is ready' });
    return (performance.now() - begun) / 1_000;
  } finally {
    await program.stop();
  }
}
