import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { query } from '../support/catalog.ts';

/** Tables of the deployment, not of a tenant. */
const deploymentTables = new Map([
  ['_prisma_migrations', 'which migrations were applied'],
  ['deployment', 'the key that all processes share'],
  ['workers', 'heartbeats; a worker serves all tenants'],
  ['tenant_servers', 'on which database server each tenant is; the rows of most tenants are on another one'],
  ['tenant_moves', 'which tenants move to another server; a process reads those of all tenants at once'],
  [
    'tenant_changes',
    'what changed during a move; no request reads it, and its rows outlive a tenant that is deleted',
  ],
  ['embedding_profiles', 'names of the vector spaces; the models of the deployment serve all tenants'],
]);

/** Tables whose rows are written together with a row that has such a foreign key. Checking each of many rows would take as long as it. */
const counterTables = ['document_terms', 'memory_terms'];

/** Indexes that begin with something else, and why none of them can show one tenant to another. */
const otherIndexes = new Map([
  ['tenants_name_key', 'finds the tenant of a token'],
  ['source_sequences_due', 'the sweep looks for the next due Scope of any tenant'],
  ['source_sequences_pending', 'the sweep looks for forgotten Scopes of any tenant'],
  ['memory_totals_embedding_due', 'workers look for the next due Scope of any tenant'],
  ['memory_embedding_totals_profile', 'workers remove the vectors of a profile that nobody uses'],
  ['failed_embeddings_parked', 'counts what is parked in the deployment'],
  ['jobs_turns', 'tenants take turns in a queue'],
  ['jobs_unfinished', 'the sweep looks for lost jobs of any tenant'],
  ['jobs_ended', 'the sweep removes old jobs of any tenant'],
  ['jobs_ended_reconciles', 'the sweep removes old reconciles of any tenant'],
  ['jobs_failed', 'the sweep removes old failed jobs of any tenant, and a replay finds them'],
  ['jobs_queued', 'metrics show the oldest job of each queue of the deployment'],
  ['source_sequences_incubation_due', 'workers look for the next due Scope of any tenant'],
  ['report_activities_old', 'the sweep looks for old activities of any tenant'],
  ['report_renderings_kept', 'the sweep looks for old renderings of any tenant'],
  ['remote_skill_targets_credential', 'finds the target of a credential, from which its tenant follows'],
  ['remote_skill_targets_enrollment_code', 'finds the target of a code, from which its tenant follows'],
  ['remote_skill_targets_expiry', 'the sweep looks for expired codes of any tenant'],
  ['memory_states_end_due', 'workers look for entries of any tenant whose end has passed'],
  ['memory_states_terms', 'tenant and Scope are hashed into each term'],
  ['document_projections_terms', 'tenant, Scope and Family are hashed into each term'],
]);

const database = await createDatabase();

afterAll(() => database.drop());

const namesOf = (rows: { name: string }[]) => rows.map((row) => row.name).sort();

test('each table of a tenant has tenant_id, and a foreign key that begins with it', async () => {
  const tables = await query<{ name: string }>(
    database.url,
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (
         SELECT FROM pg_attribute a JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f'
         WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull AND k.conkey[1] = a.attnum)`,
  );
  expect(namesOf(tables)).toEqual([...deploymentTables.keys(), ...counterTables].sort());
});

test('each primary key, unique index and other index begins with tenant_id', async () => {
  const indexes = await query<{ name: string; table: string }>(
    database.url,
    `SELECT i.relname AS name, t.relname AS table
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
     WHERE t.relnamespace = 'public'::regnamespace AND a.attname IS DISTINCT FROM 'tenant_id'`,
  );
  const ofTenants = indexes.filter((index) => !deploymentTables.has(index.table));
  expect(namesOf(ofTenants)).toEqual([...otherIndexes.keys()].sort());
});

test('each foreign key leads from tenant_id to tenant_id', async () => {
  const keys = await query<{ name: string }>(
    database.url,
    `SELECT k.conname AS name FROM pg_constraint k
     JOIN pg_attribute here ON here.attrelid = k.conrelid AND here.attnum = k.conkey[1]
     JOIN pg_attribute there ON there.attrelid = k.confrelid AND there.attnum = k.confkey[1]
     WHERE k.contype = 'f' AND (here.attname <> 'tenant_id' OR there.attname <> 'tenant_id')`,
  );
  expect(keys).toEqual([]);
});
