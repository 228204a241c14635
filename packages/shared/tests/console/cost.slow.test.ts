import type { TenantId } from '@continuity/kernel/database';
import { systemClock } from '@continuity/kernel/process';
import { createLogger } from '@continuity/kernel/telemetry';
import { CursorCodec } from '@continuity/shared/handlers';
import { ensureTenant } from '@continuity/shared/tenants';
import { beforeAll, expect, test } from 'vitest';
import { listRevisions } from '../../src/artifacts/read.ts';
import { explainContext } from '../../src/context/explain-context.ts';
import { prepareContext } from '../../src/context/prepare-context.ts';
import { listQueues } from '../../src/jobs/list-queues.ts';
import { listEntries } from '../../src/memory/list-entries.ts';
import { listHistory } from '../../src/memory/list-history.ts';
import { VectorSupportCache } from '../../src/memory/search/index.ts';
import { traceSource } from '../../src/memory/trace-source.ts';
import { listScopes } from '../../src/scopes/list.ts';
import { CorpusCache } from '../../src/search/index.ts';
import { listSources } from '../../src/sources/list.ts';
import { openOwnDatabase } from '../support/database.ts';
import { fillMemory } from '../support/large-memory.ts';
import { rememberFact } from '../support/memory.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database } = await openOwnDatabase('console-cost');
const { pool } = database;
const cursors = new CursorCodec(Buffer.alloc(32));
const scopeId = 'crowded';

interface Tenant {
  tenantId: TenantId;
  rows: number;
  entryId: string;
}

const tenants: Tenant[] = [];

/** A tenant with so many entries, revisions, Sources, jobs and Scopes. */
async function fill(name: string, rows: number): Promise<Tenant> {
  const tenantId = await ensureTenant(database, name);
  const { entry } = await rememberFact(database, { tenantId, scopeId }, 'The first entry about a needle.');
  await fillMemory(pool, { tenantId, scopeId }, rows);
  await pool.query(
    `WITH line AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position, extraction_cursor, eligible_count, extracted_count)
       SELECT tenant_id, scope_key, $3::int, $3::int - 100, $3::int, $3::int - 100 FROM scopes WHERE tenant_id = $1 AND scope_id = $2
       RETURNING tenant_id, scope_key
     ), source AS (
       INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
       SELECT tenant_id, scope_key, n, 'content', 'source ' || n, to_json(repeat('said ', 200)), '\\x00', true
       FROM line, generate_series(1, $3::int) n RETURNING tenant_id, scope_key, position
     )
     INSERT INTO source_flushes (tenant_id, scope_key, last_position, after_position, revision)
     SELECT tenant_id, scope_key, position, position - 1, position + 1 FROM source WHERE position < $3::int - 100`,
    [tenantId, scopeId, rows],
  );
  await pool.query(
    `INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
     SELECT $1, 'child ' || to_char(n, 'FM000000'), 'Title ' || n, 'S', $2 FROM generate_series(1, $3::int) n`,
    [tenantId, scopeId, rows],
  );
  await pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, status, created_at)
     SELECT $1, gen_random_uuid(), 'memory-flush', 'flush_memory', $2, n::text, '{}',
       (ARRAY['queued', 'running', 'failed', 'succeeded'])[1 + n % 4], now() - n * interval '1 second'
     FROM generate_series(1, $3::int) n`,
    [tenantId, scopeId, rows],
  );
  return { tenantId, rows, entryId: entry?.citation.entry_id ?? '' };
}

beforeAll(async () => {
  await keepVacuumAway(pool);
  // The pool has one connection. A loaded machine may take longer to fill a table than a statement may take.
  await pool.query('SET statement_timeout = 0');
  tenants.push(await fill('small', 1_000), await fill('large', 100_000));
  await pool.query('VACUUM ANALYZE');
}, 400_000);

const searchDeps = {
  database,
  embedder: () => null,
  vectorSupport: new VectorSupportCache(),
  corpusCache: new CorpusCache(),
  reranker: null,
};
const deps = {
  database,
  searchDeps,
  logger: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
  clock: systemClock,
  estimates: true,
};
const request = {
  scopeId,
  query: 'needle of the ticket',
  format: 'v1',
  maxBytes: 8_000,
  maxItems: 8,
} as const;

const entries = (tenantId: TenantId, kind: string | null) =>
  listEntries(database.sql, cursors, {
    tenantId,
    scopeId,
    includeInactive: true,
    order: 'newest',
    kind,
    limit: 50,
    cursor: null,
  });
const sources = (tenantId: TenantId, state?: 'pending' | 'processed' | 'not_eligible') =>
  listSources(database.sql, cursors, { tenantId, scopeId, limit: 50, state });
const scopes = (tenantId: TenantId, filter: object) =>
  listScopes(database, cursors, systemClock, { tenantId, limit: 50, ...filter });

/**
 * How much more may be read than at 1,000 rows. A page of a kind looks at 2,000 entries, and one of a search at 10,000 Scopes, where the
 * small tenant has 1,000 of each.
 */
const factors: Record<string, number> = {
  'list_memory_entries, a kind without entries': 2.2,
  'list_scopes, a search that finds': 12,
};

const operations: [string, (tenant: Tenant) => Promise<unknown>][] = [
  ['list_memory_entries, newest', ({ tenantId }) => entries(tenantId, null)],
  ['list_memory_entries, a kind without entries', ({ tenantId }) => entries(tenantId, 'none')],
  [
    'list_memory_entry_history',
    ({ tenantId, entryId }) =>
      listHistory(database.sql, cursors, {
        tenantId,
        scopeId,
        artifactId: 'memory',
        entryId,
        limit: 20,
        cursor: null,
      }),
  ],
  [
    'list_artifact_revisions',
    ({ tenantId }) =>
      listRevisions(database, cursors, {
        address: { tenantId, scopeId, family: 'memory', artifactId: 'memory' },
        limit: 50,
      }),
  ],
  ['list_sources', ({ tenantId }) => sources(tenantId)],
  ['list_sources, pending', ({ tenantId }) => sources(tenantId, 'pending')],
  ['list_sources, processed', ({ tenantId }) => sources(tenantId, 'processed')],
  ['list_sources, none of the state', ({ tenantId }) => sources(tenantId, 'not_eligible')],
  [
    'trace_source',
    ({ tenantId }) =>
      traceSource(database, { tenantId, scopeId, source: { name: 'content', source_id: 'source 500' } }),
  ],
  ['list_queues', ({ tenantId }) => listQueues(database.sql, tenantId, new Set())],
  ['list_scopes, children', ({ tenantId }) => scopes(tenantId, { parent: scopeId })],
  ['list_scopes, a search that finds', ({ tenantId }) => scopes(tenantId, { search: 'TITLE 5' })],
  ['explain_context', ({ tenantId }) => explainContext(deps, { tenantId, ...request, subjects: [] })],
];

/** Average blocks of five runs, after enough for the server to have settled on a plan. */
async function costOf(tenant: Tenant, run: (tenant: Tenant) => Promise<unknown>) {
  for (let count = 0; count < 8; count += 1) await run(tenant);
  return readsOf(database, 5, () => run(tenant));
}

test.each(operations)(
  'spec 60 §3: %s reads at most twice as much at 100,000 rows as at 1,000',
  async (name, run) => {
    const [small, large] = tenants;
    if (small === undefined || large === undefined) throw new Error('The tenants were not filled.');
    const few = await costOf(small, run);
    const many = await costOf(large, run);
    expect(many.scannedRows, name).toBe(0);
    expect(many.blocks, name).toBeLessThan(few.blocks * (factors[name] ?? 2) + 10);
  },
);

test('spec 60 §3.2.8: an explanation reads at most three times as much as the preparation', async () => {
  for (const tenant of tenants) {
    const prepared = await costOf(tenant, ({ tenantId }) => prepareContext(deps, { tenantId, ...request }));
    const explained = await costOf(tenant, ({ tenantId }) =>
      explainContext(deps, { tenantId, ...request, subjects: [] }),
    );
    expect(explained.blocks).toBeLessThan(prepared.blocks * 3);
  }
});
