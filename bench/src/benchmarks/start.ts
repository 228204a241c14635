import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@continuity/testing/servers';
import type { Benchmark } from '../benchmark.ts';
import { startProgram } from '../servers/program.ts';

const maxSeconds = 3;
const startTimeoutMs = 120_000;

export const start: Benchmark = {
  name: 'start',
  summary: 'time until the all-in-one service on embedded PostgreSQL is ready, at its second start',
  run: async ({ log }) => {
    const directory = await mkdtemp(join(tmpdir(), 'continuity-bench-data-'));
    try {
      log('start: first start, which creates the database');
      const first = await timeStart(directory);
      log('start: second start');
      const second = await timeStart(directory);
      return {
        throughputs: [],
        findings: [
          {
            name: 'second start of the all-in-one service until /health/ready is 200',
            value: second,
            unit: 's',
            bar: { kind: 'at most', limit: maxSeconds },
            note: `first start ${first.toFixed(2)} s`,
          },
        ],
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Seconds from the start of the process to the first 200 of its readiness probe. */
async function timeStart(directory: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
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
    await waitUntil(isReady, {
      timeoutMs: startTimeoutMs,
      intervalMs: 20,
      what: 'the all-in-one service is ready',
    });
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await program.stop();
  }
}
