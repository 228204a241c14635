import { hasRedis, runProcess } from '@continuity/testing';
import { expect, inject, test } from 'vitest';
import { benchmarks } from '../src/benchmarks/index.ts';

/** Ends what hangs: beside other tests, the built-in embedder gets little of the processors. */
const runMs = 1_200_000;

/** End of the output of a failed run that its message shows: the error, and the last lines of progress. */
const shownCharacters = 1_200;

/** A row of the report of each benchmark. */
const rows = {
  requests: /\| remember, embedded +\| +32 \|/,
  growth: /\| gateway memory: at 50 entries \/ at 10 +\|/,
  scale: /\| search: 5 Scope\(s\) of 20 entries \/ 1 Scope\(s\) of 20 entries +\|/,
  search: /\| recall@10, held out: fts \/ ts_rank, any word +\|/,
  embedder: /\| embedder: p50 of a query of 8 words +\|/,
  generation: /\| built-in: grounded +\|/,
  context: /\| prepare \/ search, at 10 entries and 2 Experiences +\|/,
  mcp: /\| search over MCP \/ over HTTP +\|/,
  sdk: /\| search: rate of the SDK \/ of bare fetch +\|/,
  import: /\| import of agent sessions: first answer +\|/,
  hooks: /\| hook: p95 of a prompt +\|/,
  size: /\| database size of 100 entries of 200 bytes +\|/,
  capacity: /\| capture, 1 KB +\|/,
  jobs: /\| requests of 50 without a result +\| +0 \|/,
  writers: /1 Scope\(s\): missing or extra revisions +\| +0 \|/,
  packages: /\| package of 4 MiB: rate of upload and download \/ zip and sha256sum +\|/,
  'external-skills': /\| scan of 5 packages \/ sha256sum +\|/,
  prisma: /\| Create of an Experience, named statements +\| +32 \|/,
  review: /\| 20 concurrent approvals of one Candidate: .* conflicts +\| +0 \|/,
  console: /\| console: time to the first decision, slow processor and network +\|/,
  remote: /\| reconcile, nothing changed: publications written +\| +0 \|/,
  overhead: /\| list: requests\/s lost to validation, tracing and logging +\|/,
  telemetry: /\| mixed load: requests\/s lost to the export of traces and metrics +\|/,
  idle: /\| idle report worker: memory +\|/,
  stats: /\| stats: 20 Scopes \/ one, today +\|/,
  reports: /\| report: database round trips +\|/,
  servers: /\| captures\/s lost to routing, with one server in DATABASE_SERVERS_FILE +\|/,
  walls: /\| worker beside the gateway: worst of the light tenant beside the attack +\|/,
  start: /\| start of the gateway until .*: bundle \/ source +\|/,
};

test.skipIf(!hasRedis())(
  'every benchmark runs against real servers and reports',
  async () => {
    const { adminUrl, redisUrl } = inject('harness');
    await using bench = runProcess(['bench/src/main.ts', '--quick'], {
      DATABASE_URL: adminUrl,
      REDIS_URL: redisUrl ?? '',
    });
    expect(await bench.exited, bench.output().slice(-shownCharacters)).toEqual({ code: 0, signal: null });
    expect(Object.keys(rows).toSorted()).toEqual(benchmarks.map(({ name }) => name).toSorted());
    for (const row of Object.values(rows)) expect(bench.output()).toMatch(row);
  },
  runMs,
);

test('an unknown benchmark is named and the known ones are listed', async () => {
  await using bench = runProcess(['bench/src/main.ts', 'speed']);
  expect(await bench.exited).toMatchObject({ code: 2 });
  for (const { name } of benchmarks) expect(bench.output()).toContain(name);
});
