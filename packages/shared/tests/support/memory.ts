import type { Database, TenantId } from '@continuity/kernel/database';
import type pg from 'pg';
import { addRevision } from '../../src/memory/commit-revision.ts';
import { addEntry } from '../../src/memory/entry-writes.ts';
import { ensureLockedMemory } from '../../src/memory/head.ts';
import { remember } from '../../src/memory/remember.ts';

/** Remembers a fact in the Memory of a Scope. */
export function rememberFact(
  database: Database,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  text: string,
): ReturnType<typeof remember> {
  return remember(database, {
    tenantId,
    scopeId,
    content: { kind: 'fact', text },
    reason: null,
    expectedRevision: null,
  });
}

/** Remembers facts in one revision, the next one of the Memory of a Scope. */
export async function rememberFacts(
  database: Database,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  texts: string[],
): Promise<void> {
  await database.transaction(async (sql) => {
    const memory = await ensureLockedMemory(sql, tenantId, scopeId);
    const entries = texts.map((text) => addEntry({ kind: 'fact', text }, null));
    await addRevision(sql, memory, entries);
  });
}

/** Adds 3,000 Scopes with an empty Memory and a Source `first`, by SQL: what is looked for in one Scope is not in the way. */
export async function addOtherScopes(pool: pg.Pool, tenantId: TenantId): Promise<void> {
  await pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, 'other ' || n, 'other', ''
       FROM generate_series(1, 3000) AS n RETURNING scope_key
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) SELECT $1, scope_key, 'memory', 'memory' FROM scope
     ), kind AS (
       INSERT INTO memory_kinds (tenant_id, scope_key, kind) SELECT $1, scope_key, 'fact' FROM scope
     ), total AS (
       INSERT INTO memory_totals (tenant_id, scope_key) SELECT $1, scope_key FROM scope
     ), line AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position) SELECT $1, scope_key, 1 FROM scope
     )
     INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
     SELECT $1, scope_key, 1, 'content', 'first', '"said"', '\\x00', true FROM scope`,
    [tenantId],
  );
}

/** Takes all entries of a database their places, so that each has the score of its own words and vector (spec 26 S15). */
export async function withoutNeighbors({ pool }: { pool: pg.Pool }): Promise<void> {
  await pool.query('UPDATE memory_versions SET place = NULL');
}
