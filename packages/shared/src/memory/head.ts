import { column, newId, pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { scopeForWrite, scopeKey } from '../scopes/index.ts';
import { scopeMemoryId } from './entry.ts';

/** A Memory Artifact whose head row this transaction holds locked. */
export interface LockedMemory {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  artifactKey: number;
  artifactId: string;
  /** 0 for a Memory that this transaction makes. */
  headRevision: number;
}

const lockHead = statement(
  'lock_memory_head',
  `SELECT a.scope_key, a.artifact_key, a.head_revision
   FROM artifacts a
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
   FOR NO KEY UPDATE OF a`,
  pick(tables.artifacts, 'scope_key', 'artifact_key', 'head_revision'),
);

const makeHead = statement(
  'make_memory_head',
  `INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) VALUES ($1, $2, 'memory', $3)
   ON CONFLICT ON CONSTRAINT artifacts_identity DO NOTHING`,
);

/** The Scope Memory where the Scope has none yet, else a further Memory of the given id (spec 10 §6.1.10). */
const makeOwnHead = statement(
  'make_own_memory_head',
  `WITH scope_memory AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) VALUES ($1, $2, 'memory', $3)
     ON CONFLICT ON CONSTRAINT artifacts_identity DO NOTHING
     RETURNING artifact_key, artifact_id
   ), further AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id)
     SELECT $1, $2, 'memory', $4 WHERE NOT EXISTS (SELECT FROM scope_memory)
     RETURNING artifact_key, artifact_id
   )
   SELECT * FROM scope_memory UNION ALL SELECT * FROM further`,
  { artifact_key: column.bigint, artifact_id: column.text },
);

/** A Scope that a transaction writes to. */
export interface ScopeToWrite {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
}

/** Locks the head of a Memory Artifact until the transaction ends: its writers queue here (spec 20 M16). */
export async function lockMemory(
  sql: Sql,
  tenantId: number,
  scopeId: string,
  artifactId: string,
): Promise<LockedMemory | undefined> {
  const row = await sql.first(lockHead, [tenantId, scopeId, artifactId]);
  if (row === undefined) return undefined;
  return {
    tenantId,
    scopeId,
    scopeKey: row.scope_key,
    artifactKey: row.artifact_key,
    artifactId,
    headRevision: row.head_revision,
  };
}

/**
 * Makes the Scope (on its first write) and an empty Memory Artifact in it, and locks its head. Of concurrent makers one
 * makes it; the others wait and then lock the same one.
 */
export async function makeMemory(
  sql: Sql,
  tenantId: number,
  scopeId: string,
  artifactId: string = scopeMemoryId,
): Promise<LockedMemory> {
  const scopeKey = await scopeForWrite(sql, tenantId, scopeId);
  await sql.rows(makeHead, [tenantId, scopeKey, artifactId]);
  const made = await lockMemory(sql, tenantId, scopeId, artifactId);
  if (made === undefined) throw new Error('A Memory that was just made is not there.');
  return made;
}

/**
 * Makes an empty Memory Artifact that nobody else has: its head is this transaction's until it commits. Of concurrent
 * makers the first to commit makes the Scope Memory; the others wait for it and make a further one.
 */
export async function makeOwnMemory(sql: Sql, scope: ScopeToWrite): Promise<LockedMemory> {
  const values = [scope.tenantId, scope.scopeKey, scopeMemoryId, newId()];
  const made = await sql.first(makeOwnHead, values);
  if (made === undefined) throw new Error('A Memory that was just made is not there.');
  return { ...scope, artifactKey: made.artifact_key, artifactId: made.artifact_id, headRevision: 0 };
}
