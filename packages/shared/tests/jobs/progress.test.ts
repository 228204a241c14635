import type { Sql } from '@continuity/kernel/database';
import { afterEach, expect, test, vi } from 'vitest';
import { progressSaver } from '../../src/jobs/finish.ts';
import type { ClaimedJob } from '../../src/jobs/job.ts';

afterEach(() => vi.useRealTimers());

test('progress is stored at most once a second, however often a handler reports it', async () => {
  vi.useFakeTimers();
  const stored: unknown[] = [];
  const rows = async (_: unknown, values: unknown[]) => {
    stored.push(values.at(-1));
    return [];
  };
  const save = progressSaver(
    { rows } as unknown as Sql,
    { tenantId: 1, jobId: 'job', attempt: 1 } as ClaimedJob,
  );
  for (const share of [0, 0.1, 0.2]) await save(share);
  vi.advanceTimersByTime(1_000);
  for (const share of [1.5, 0.4]) await save(share);
  expect(stored).toEqual([0, 1]);
});
