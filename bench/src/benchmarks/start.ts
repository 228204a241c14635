import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@continuity/testing/servers';
import type { Bench, Benchmark, Finding } from '../benchmark.ts';
import { median } from '../report/median.ts';
import { startProgram } from '../servers/program.ts';

const maxSeconds = 3;
/** Bundling must make a start 1.3 times as fast. */
const maxBundleRatio = 1 / 1.3;
const startTimeoutMs = 600_000;

export const start: Benchmark = {
  name: 'start',
  summary:
    'time until the all-in-one service on embedded PostgreSQL is ready, at its second start; start of a bundled gateway',
  run: async (bench) => {
    const { log } = bench;
    const directory = await mkdtemp(join(tmpdir(), 'continuity-bench-data-'));
    try {
      log('start: first start, which creates the database');
      const first = await timeAllInOne(directory);
      log('start: second start');
      const second = await timeAllInOne(directory);
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
          await compareWithSource(bench),
        ],
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

const timeAllInOne = (directory: string) =>
  timeStart('dist/local.mjs', '/health/ready', { DATA_DIR: directory });

/** Compares the starts of the bundled gateway and of its source, in turns. */
async function compareWithSource({ servers, isQuick, log }: Bench): Promise<Finding> {
  const database = await servers.createDatabase();
  const rounds = isQuick ? 1 : 9;
  const seconds: { bundle: number[]; source: number[] } = { bundle: [], source: [] };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      log(`start: gateway, round ${round}`);
      const settings = { DATABASE_URL: database.url };
      seconds.bundle.push(await timeStart('dist/api.mjs', '/health/live', settings));
      seconds.source.push(await timeStart('services/api/src/main.ts', '/health/live', settings));
    }
  } finally {
    await database.drop();
  }
  const [bundle, source] = [median(seconds.bundle), median(seconds.source)];
  return {
    name: 'start of the gateway until /health/live is 200: bundle / source',
    value: bundle / source,
    unit: '×',
    bar: { kind: 'at most', limit: maxBundleRatio },
    note: `${bundle.toFixed(2)} s and ${source.toFixed(2)} s`,
  };
}

/** Seconds from the start of a process to the first 200 of a probe. */
async function timeStart(
  path: string,
  probe: '/health/live' | '/health/ready',
  settings: Record<string, string>,
): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const program = await startProgram(path, { ...settings, PORT: String(port) });
  try {
    const isReady = async () => {
      await program.requireAlive();
      const answer = await fetch(`http://127.0.0.1:${port}${probe}`).catch(() => undefined);
      return answer?.status === 200;
    };
    await waitUntil(isReady, {
      timeoutMs: startTimeoutMs,
      intervalMs: 20,
      what: `${path} answers ${probe}`,
    });
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await program.stop();
  }
}
