import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import {
  type Database,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError, staleVersion } from '@continuity/kernel/errors';
import { descriptorData } from './descriptor.ts';
import { namedScopes, normalizeFields, rejectSelfReference } from './fields.ts';
import { lockHierarchy } from './hierarchy.ts';
import { requireScopes } from './require-scopes.ts';

interface ScopeUpdate {
  tenantId: TenantId;
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

/**
 * Replaces the whole descriptor of a Scope (spec 10 §4). Throws 422 for the Scope as its own parent or reference, 404 for an
 * unknown Scope, and 409 `scope_conflict` for a stale version or a parent that would close a cycle.
 */
export async function updateScope(database: Database, update: ScopeUpdate): Promise<ScopeDescriptor> {
  const { tenantId, scopeId } = update;
  rejectSelfReference(scopeId, update.fields);
  const fields = normalizeFields(update.fields);
  await requireScopes(database, tenantId, [scopeId, ...namedScopes(fields)]);
  const parentId = fields.parent_scope_id;
  return database.prismaTransaction(async ({ sql, prisma }) => {
    const current = await lockAtVersion(sql, update);
    if (current.parent_scope_id !== parentId) await lockHierarchy(sql, tenantId, scopeId, parentId);
    const updated: ScopeDescriptor = { scope_id: scopeId, ...fields, version: current.version + 1 };
    await prisma.scope.update({
      where: { tenantId_scopeId: { tenantId, scopeId } },
      data: descriptorData(updated),
      select: { scopeKey: true },
    });
    return updated;
  });
}

/** Locks a Scope until the transaction ends. Throws 409 `scope_conflict` if it is not at the expected version. */
async function lockAtVersion(
  sql: Sql,
  { tenantId, scopeId, expectedVersion }: ScopeUpdate,
): Promise<LockedScope> {
  const locked = await sql.first(lockStatement, [tenantId, scopeId]);
  if (locked === undefined) throw new Error('A Scope that was found before does not exist.');
  if (locked.version === expectedVersion) return locked;
  throw serviceError('scope_conflict', staleVersion('Scope', expectedVersion, locked.version));
}
