import { jobCatalog } from '@continuity/contract';
import { asDigest, canonicalJson, hashHex } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { beforeAll, expect, test } from 'vitest';
import { claimJob } from '../../src/jobs/claim.ts';
import { newJob } from '../../src/jobs/index.ts';
import { newJobWrite, writeJob } from '../../src/jobs/write.ts';
import { loadReport } from '../../src/reports/answer/report-answer.ts';
import { runGetReport } from '../../src/reports/index.ts';
import { roundTripsOf } from '../support/count-round-trips.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('report-round-trips', 4);
const projectId = newId();
const content = canonicalJson({
  schema: 'service.handoff.v1',
  objective: 'Keep it up.',
  state: [{ text: 'Up.', citations: [{ kind: 'source', source_ref: { name: 'content', source_id: 'e' } }] }],
  disposition: 'continuable',
  next_action: null,
  omissions: [],
});

const limits = {
  outputBytes: 10_485_760,
  maxScopes: 1000,
  evidenceBudgetMs: 10_000,
  renderingTtlMs: 86_400_000,
  renderingBytes: 2 ** 28,
};

beforeAll(async () => {
  await database.pool.query(
    `WITH project AS (
       INSERT INTO report_projects (tenant_id, project_id, project_key, normalized_key, title, default_locale, timezone, catalog_state)
       VALUES ($1, $2, 'p', 'p', 'P', 'en', 'UTC', 'included')
     ), sequence AS (
       INSERT INTO report_activity_sequences (tenant_id, project_id, last_cursor) VALUES ($1, $2, 0)
     ), scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, 's' || n, 'S', 'S' FROM generate_series(1, 100) n
       RETURNING scope_key, scope_id
     ), workstream AS (
       INSERT INTO report_workstreams (tenant_id, scope_id, project_id, title, kind, catalog_state)
       SELECT $1, scope_id, $2, scope_id, 'feature', 'included' FROM scope
     ), source AS (
       INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
       SELECT $1, scope_key, 1, 'content', 'e', '"x"', '', true FROM scope
     ), sequences AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position) SELECT $1, scope_key, 1 FROM scope
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT $1, scope_key, 'handoff', 'handoff', 20 FROM scope RETURNING artifact_key
     ), revision AS (
       INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, content, content_digest)
       SELECT $1, artifact_key, n, $3, decode($4, 'hex') FROM artifact, generate_series(1, 20) n
     )
     INSERT INTO handoff_summaries
     SELECT $1, artifact_key, n, 'continuable', 'Keep it up.', NULL, 1, 0, octet_length($3), now() - (20 - n) * interval '1 hour'
     FROM artifact, generate_series(1, 20) n`,
    [tenantId, projectId, content, hashHex(content)],
  );
});

/** Runs a report job as a worker does, from its claim to its end. */
async function runJob() {
  const payload = jobCatalog.get_handoff_report.payload.parse({
    project_id: projectId,
    period: null,
    format: 'json',
  });
  const job = newJob('get_handoff_report', { tenantId, scopeId: null, payload });
  const { entry } = await writeJob(database, newJobWrite(job, null));
  const token = { tenant_id: tenantId, job_id: entry.jobId };
  const run = runGetReport({ database, limits });
  const context = { signal: new AbortController().signal, progress: async () => undefined };
  const trips = await roundTripsOf(async () => {
    const queue = { queue: entry.queue, hostId: null };
    const claim = await claimJob(database.sql, { queue, token, workerId: newId(), lastTenant: undefined });
    if (claim === undefined) throw new Error('The job was not claimed.');
    await run(claim.job, payload, context);
  });
  const { rows } = await database.pool.query('SELECT result FROM jobs WHERE job_id = $1', [entry.jobId]);
  return { trips, report: await loadReport(database, tenantId, rows[0].result) };
}

test('a report of 100 Workstreams with 20 revisions each takes at most 12 round trips', async () => {
  // The first run connects and prepares.
  await runJob();
  await database.pool.query('DELETE FROM report_renderings');
  const { trips, report } = await runJob();
  const { scopes, coverage } = JSON.parse(report?.body ?? '').report;
  expect(scopes).toHaveLength(100);
  expect(scopes[99].handoff_history).toHaveLength(20);
  expect(scopes[0].content_digest).toBe(asDigest(hashHex(content)));
  expect(scopes[0].evidence_checks).toMatchObject([{ status: 'available' }]);
  expect(coverage.selected_workstreams).toBe(100);
  expect(trips).toBeLessThanOrEqual(12);
});

test('a stored rendering takes fewer', async () => {
  const { trips } = await runJob();
  expect(trips).toBeLessThanOrEqual(9);
});
