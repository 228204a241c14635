import { runProcess } from '@continuity/testing';
import { expect, inject, test } from 'vitest';
import { benchmarks } from '../src/catalogue.ts';

const runMs = 280_000;

/** A row of each benchmark's report. */
const rows = {
  requests: /\| remember, embedded +\| +32 \|/,
  growth: /\| memory of a gateway that works at 50 entries by that at 10 +\|/,
  scale: /\| search, 5 Scope\(s\) of 20 entries by 1 Scope\(s\) of 20 entries +\|/,
  search: /\| recall@10, held out: fts \/ ts_rank, any word +\|/,
  context: /\| prepare, at 10 entries and 2 Experiences: time by that of search +\|/,
  size: /\| database taken by 100 entries of 200 bytes +\|/,
  jobs: /\| waits of 50 without an answer +\| +0 \|/,
  writers: /1 Scope\(s\): revisions missing or too many +\| +0 \|/,
  overhead: /\| list: requests\/s that validation, tracing and logging cost +\|/,
  stats: /\| stats of 20 Scopes by those of one, today +\|/,
  start: /\| second start of the all-in-one service until/,
};

test(
  'every benchmark runs against real servers and reports',
  async () => {
    const { adminUrl, redisUrl } = inject('harness');
    await using bench = runProcess(['bench/src/main.ts', '--quick'], {
      DATABASE_URL: adminUrl,
      REDIS_URL: redisUrl,
    });
    expect(await bench.exited, bench.output()).toEqual({ code: 0, signal: null });
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
