import {
  type ArtifactKey,
  column,
  pick,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { ensureScope, scopeKey } from '../scopes/index.ts';
import { scopeMemoryId } from './entry.ts';

/** A Memory Artifact whose head row the transaction has locked. */
export interface LockedMemory {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  artifactKey: ArtifactKey;
  artifactId: string;
  /** 0 for a Memory that the transaction creates. */
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

const insertHead = statement(
  'insert_memory_head',
  `INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) VALUES ($1, $2, 'memory', $3)
   ON CONFLICT ON CONSTRAINT artifacts_identity DO NOTHING`,
);

/** Inserts the Scope Memory, or if it exists another Memory with the given id (spec 10 §6.1.10). */
const insertNewHead = statement(
  'insert_new_memory_head',
  `WITH scope_memory AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) VALUES ($1, $2, 'memory', $3)
     ON CONFLICT ON CONSTRAINT artifacts_identity DO NOTHING
     RETURNING artifact_key, artifact_id
   ), other AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id)
     SELECT $1, $2, 'memory', $4 WHERE NOT EXISTS (SELECT FROM scope_memory)
     RETURNING artifact_key, artifact_id
   )
   SELECT * FROM scope_memory UNION ALL SELECT * FROM other`,
  { artifact_key: column.bigint.as<ArtifactKey>(), artifact_id: column.text },
);

/** A Scope that a transaction writes to. */
export interface ScopeToWrite {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
}

/** Locks the head of a Memory Artifact until the transaction ends, which serializes its writers (spec 20 M16). */
export async function lockMemory(
  sql: Sql,
  tenantId: TenantId,
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
 * Creates a missing Scope and a missing Memory Artifact, and locks the head. Concurrent callers wait for one another and lock
 * the same Memory.
 */
export async function ensureLockedMemory(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  artifactId: string = scopeMemoryId,
): Promise<LockedMemory> {
  const scopeKey = await ensureScope(sql, tenantId, scopeId);
  await sql.rows(insertHead, [tenantId, scopeKey, artifactId]);
  const memory = await lockMemory(sql, tenantId, scopeId, artifactId);
  if (memory === undefined) throw new Error('The Memory was created but not found.');
  return memory;
}

/**
 * Creates a new empty Memory Artifact, locked until the transaction ends. Of concurrent callers the first to commit creates the
 * Scope Memory; the others wait for it and create another Memory.
 */
export async function createLockedMemory(sql: Sql, scope: ScopeToWrite): Promise<LockedMemory> {
  const values = [scope.tenantId, scope.scopeKey, scopeMemoryId, newId()];
  const row = await sql.first(insertNewHead, values);
  if (row === undefined) throw new Error('The insert of a Memory returned no row.');
  return { ...scope, artifactKey: row.artifact_key, artifactId: row.artifact_id, headRevision: 0 };
}
