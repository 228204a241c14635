import { newId } from '@continuity/kernel/text';
import { beforeAll, expect, test } from 'vitest';
import { makeReport } from '../../src/reports/job/make-report.ts';
import type { ReportOrder } from '../../src/reports/job/report-deps.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('report-reads');

/** Two Projects of 100 Workstreams with 20 revisions each, that differ in the number of old Sources of a Workstream. */
const oldSources = { short: 1, long: 100 };
const projects = { short: newId(), long: newId() };

const limits = {
  outputBytes: 64 * 2 ** 20,
  maxScopes: 1_000,
  evidenceBudgetMs: 60_000,
  renderingTtlMs: 60_000,
  renderingBytes: 0,
};

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  for (const name of ['short', 'long'] as const) await fillProject(name);
});

/** Fills the tables as the service does, in one statement for all Workstreams. */
async function fillProject(name: keyof typeof projects): Promise<void> {
  const statement = {
    text: 'Seen.',
    citations: [{ kind: 'source', source_ref: { name: 'content', source_id: 's1' } }],
  };
  const content = JSON.stringify({
    schema: 'service.handoff.v1',
    objective: 'Build.',
    state: Array(8).fill(statement),
    disposition: 'continuable',
    next_action: statement,
    omissions: [],
  });
  const key = projects[name];
  await database.pool.query(
    `INSERT INTO report_projects
       (tenant_id, project_id, project_key, normalized_key, title, default_locale, timezone, catalog_state)
     VALUES ($1, $2, $3, $3, 'Shop', 'en', 'UTC', 'included')`,
    [tenantId, key, name],
  );
  await database.pool.query('INSERT INTO report_activity_sequences (tenant_id, project_id) VALUES ($1, $2)', [
    tenantId,
    key,
  ]);
  await database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT $1, $3 || n, 'Title', 'Summary' FROM generate_series(1, 100) AS n RETURNING scope_key, scope_id
     ), workstream AS (
       INSERT INTO report_workstreams (tenant_id, scope_id, project_id, title, kind, catalog_state)
       SELECT $1, scope_id, $2, 'Title', 'feature', 'included' FROM scope
     ), sequence AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position, last_captured_at)
       SELECT $1, scope_key, $4, now() FROM scope
     ), source AS (
       INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
       SELECT $1, scope_key, n, 'content', 's' || n, '"An old Source."', '', true
       FROM scope, generate_series(1, $4::int) AS n
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT $1, scope_key, 'handoff', 'handoff', 20 FROM scope RETURNING artifact_key
     ), revision AS (
       INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, content, content_digest)
       SELECT $1, artifact_key, n, $5::text, sha256(convert_to($5::text, 'UTF8')) FROM artifact, generate_series(1, 20) AS n
       RETURNING artifact_key, revision, created_at
     )
     INSERT INTO handoff_summaries
     SELECT $1, artifact_key, revision, 'continuable', 'Build.', 'Seen.', 8, 0, octet_length($5::text), created_at FROM revision`,
    [tenantId, key, name, oldSources[name], content],
  );
}

const orderOf = (name: keyof typeof projects): ReportOrder => ({
  tenantId,
  form: 'json',
  request: {
    selection: null,
    project_id: projects[name],
    locale: null,
    include_evidence_checks: true,
    include_archived: false,
    period: null,
  },
});

const make = (name: keyof typeof projects) =>
  database.snapshot((sql) => makeReport(sql, orderOf(name), limits));

test('a report reads no more beside 10,000 old Sources than beside 100', async () => {
  for (let run = 0; run < 2; run += 1) for (const name of ['short', 'long'] as const) await make(name);
  const [short, long] = [
    await readsOf(database, 1, () => make('short')),
    await readsOf(database, 1, () => make('long')),
  ];
  expect(long.scannedRows).toBe(0);
  expect(long.blocks).toBeLessThan(short.blocks * 1.3);
});
