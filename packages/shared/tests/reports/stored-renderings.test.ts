import { jobCatalog } from '@continuity/contract';
import { newId } from '@continuity/kernel/text';
import { beforeAll, expect, test } from 'vitest';
import { claimJob } from '../../src/jobs/claim.ts';
import { newJob } from '../../src/jobs/index.ts';
import { newJobWrite, writeJob } from '../../src/jobs/write.ts';
import { loadReport } from '../../src/reports/answer/report-answer.ts';
import { runGetReport, sweepRenderings } from '../../src/reports/index.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('stored-renderings', 4);
const limits = { outputBytes: 2 ** 20, maxScopes: 10, evidenceBudgetMs: 1_000, renderingTtlMs: 3_600_000 };

beforeAll(async () => {
  await database.pool.query(
    "INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, 's', 'S', 'S')",
    [tenantId],
  );
});

/** Runs a report job, for a caller who waits or for one who takes its id. Returns its result. */
async function runJob(waitMs: number | null, renderingBytes: number): Promise<{ rendering_id: string }> {
  const payload = jobCatalog.get_handoff_report.payload.parse({
    selection: { mode: 'exact', scope_ids: ['s'] },
    period: null,
    format: 'json',
  });
  const job = newJob('get_handoff_report', { tenantId, scopeId: null, payload });
  const { entry } = await writeJob(database, newJobWrite(job, waitMs));
  const claim = await claimJob(database.sql, {
    queue: { queue: entry.queue, hostId: null },
    token: { tenant_id: tenantId, job_id: entry.jobId },
    workerId: newId(),
    lastTenant: undefined,
  });
  if (claim === undefined) throw new Error('The job was not claimed.');
  const run = runGetReport({ database, limits: { ...limits, renderingBytes } });
  const context = { signal: new AbortController().signal, progress: async () => undefined };
  await run(claim.job, payload, context);
  const { rows } = await database.pool.query('SELECT result FROM jobs WHERE job_id = $1', [entry.jobId]);
  return rows[0].result;
}

const isStored = async (result: { rendering_id: string }) =>
  (await loadReport(database, tenantId, result)) !== undefined;

/** Sweeps as if so many minutes had passed. */
async function sweepAfter(minutes: number): Promise<void> {
  await database.pool.query(
    `UPDATE report_renderings SET created_at = created_at - $1 * interval '1 minute', kept_until = kept_until - $1 * interval '1 minute'`,
    [minutes],
  );
  await sweepRenderings(database.sql, limits.renderingTtlMs);
}

test('spec 30 §4.7.4: a rendering beyond the limit of its tenant is dropped ten minutes after it was made', async () => {
  const dropped = await runJob(30_000, 0);
  await sweepAfter(9);
  expect(await isStored(dropped)).toBe(true);
  await sweepAfter(2);
  expect(await isStored(dropped)).toBe(false);
});

test('spec 30 §4.7.6: the result of an asynchronous job is readable for a day, also beyond the limit', async () => {
  const result = await runJob(null, 0);
  await sweepAfter(24 * 60);
  expect(await isStored(result)).toBe(true);
  await sweepAfter(2 * 60);
  expect(await isStored(result)).toBe(false);
});

test('a rendering that answers a waiting and an asynchronous job is readable for a day after the latter', async () => {
  const first = await runJob(30_000, 2 ** 20);
  await sweepAfter(11);
  expect(await runJob(null, 2 ** 20)).toEqual(first);
  expect(await runJob(30_000, 2 ** 20)).toEqual(first);
  await sweepAfter(24 * 60);
  expect(await isStored(first)).toBe(true);
});
