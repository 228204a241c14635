import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import {
  type Database,
  pick,
  type RowOfStatement,
  type Sql,
  serviceError,
  statement,
  tables,
} from '@continuity/shared/kernel';
import { descriptorBytes } from './descriptor.ts';
import { namedScopes, normalizeFields, refuseSelf } from './fields.ts';
import { lockHierarchy } from './hierarchy.ts';
import { requireScopes } from './require-scopes.ts';

export interface ScopeUpdate {
  tenantId: number;
  scopeId: string;
  fields: ScopeFields;
  expectedVersion: number;
}

const lockStatement = statement(
  'lock_scope',
  `SELECT version, parent_scope_id FROM scopes WHERE tenant_id = $1 AND scope_id = $2 FOR NO KEY UPDATE`,
  pick(tables.scopes, 'version', 'parent_scope_id'),
);

type LockedScope = RowOfStatement<typeof lockStatement>;

const updateStatement = statement(
  'update_scope',
  `UPDATE scopes SET title = $3, summary = $4, parent_scope_id = $5, context_references = $6,
     external_references = $7, descriptor_bytes = $8, version = $9
   WHERE tenant_id = $1 AND scope_id = $2`,
);

/**
 * Replaces the descriptor of a Scope whole (spec 10 §4). Throws 422 for itself as parent or reference, 404 for an unknown
 * Scope, and 409 `scope_conflict` for a stale version or a parent that would close a cycle.
 */
export async function updateScope(database: Database, update: ScopeUpdate): Promise<ScopeDescriptor> {
  const { tenantId, scopeId } = update;
  refuseSelf(scopeId, update.fields);
  const fields = normalizeFields(update.fields);
  await requireScopes(database.sql, tenantId, [scopeId, ...namedScopes(fields)]);
  const parentId = fields.parent_scope_id;
  return database.transaction(async (sql) => {
    const before = await lockAtVersion(sql, update);
    if (before.parent_scope_id !== parentId) await lockHierarchy(sql, tenantId, scopeId, parentId);
    const after: ScopeDescriptor = { scope_id: scopeId, ...fields, version: before.version + 1 };
    await sql.commitWith(updateStatement, [
      tenantId,
      scopeId,
      after.title,
      after.summary,
      parentId,
      after.context_references,
      JSON.stringify(after.external_references),
      descriptorBytes(after),
      after.version,
    ]);
    return after;
  });
}

/** Locks the descriptor until the transaction ends. Throws 409 where it is not at the expected version. */
async function lockAtVersion(
  sql: Sql,
  { tenantId, scopeId, expectedVersion }: ScopeUpdate,
): Promise<LockedScope> {
  const locked = await sql.first(lockStatement, [tenantId, scopeId]);
  if (locked === undefined) throw new Error('A Scope that was found is gone.');
  if (locked.version === expectedVersion) return locked;
  throw serviceError('scope_conflict', {
    message: `Version ${expectedVersion} was expected, but ${locked.version} is current. Read the Scope and decide again.`,
    details: { expected_version: expectedVersion, current_version: locked.version },
  });
}
