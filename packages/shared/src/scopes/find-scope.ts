import type { ScopeDescriptor } from '@continuity/contract/scopes';
import {
  type Database,
  pick,
  type Queries,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { descriptorSelect, scopeNotFound, toDescriptor } from './descriptor.ts';

const selectScopeKey = 'SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2';

/**
 * SQL expression for the key of the Scope with tenant $1 and id $2; null for an unknown Scope. A scalar subquery runs first. For a
 * join, a server without statistics may choose a plan that reads all rows of the tenant.
 */
export const scopeKey = `(${selectScopeKey})`;

const findScope = statement('find_scope', selectScopeKey, pick(tables.scopes, 'scope_key'));

/** Finds the key of a Scope; undefined for an unknown one. */
export async function findScopeKey(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ScopeKey | undefined> {
  return (await sql.first(findScope, [tenantId, scopeId]))?.scope_key;
}

/** Finds the key of a Scope that the caller knows to exist. */
export async function requireScopeKey(
  sql: Sql,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
): Promise<ScopeKey> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) throw new Error('The Scope does not exist.');
  return scopeKey;
}

const createScope = statement(
  'create_scope_on_first_write',
  `INSERT INTO scopes (tenant_id, scope_id, title, summary)
   VALUES ($1, $2, $2, 'Created on first write.')
   ON CONFLICT (tenant_id, scope_id) DO NOTHING`,
);

/**
 * Returns the key of a Scope for a data write. Creates an unknown Scope in the caller's transaction (spec 10 §1.7). Concurrent calls
 * create one Scope.
 */
export async function ensureScope(sql: Sql, tenantId: TenantId, scopeId: string): Promise<ScopeKey> {
  const existing = await findScopeKey(sql, tenantId, scopeId);
  if (existing !== undefined) return existing;
  await sql.rows(createScope, [tenantId, scopeId]);
  const created = await findScopeKey(sql, tenantId, scopeId);
  if (created === undefined) throw new Error('A Scope that was just created does not exist.');
  return created;
}

/**
 * Throws 404 `scope_not_found` with the first unknown id, in the given order. Scopes are never deleted, so a later transaction
 * finds them too.
 */
export async function requireScopes(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  scopeIds: readonly string[],
): Promise<void> {
  if (scopeIds.length === 0) return;
  const rows = await prisma.scope.findMany({
    where: { tenantId, scopeId: { in: [...scopeIds] } },
    select: { scopeId: true },
  });
  const known = new Set(rows.map(({ scopeId }) => scopeId));
  const unknown = scopeIds.find((scopeId) => !known.has(scopeId));
  if (unknown !== undefined) throw scopeNotFound(unknown);
}

/** Reads the default Scope of the tenant; pass a snapshot, because it takes two queries. Throws 404 if none is set. */
export async function readDefaultScope(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
): Promise<ScopeDescriptor> {
  const tenant = await prisma.tenant.findUnique({
    where: { tenantId },
    select: { defaultScope: { select: descriptorSelect } },
  });
  if (!tenant?.defaultScope) {
    throw serviceError('scope_not_found', { message: 'The tenant has no default Scope. Set one first.' });
  }
  return toDescriptor(tenant.defaultScope);
}

/** Makes a Scope the default of the tenant, and changes nothing else (spec 10 §4). Throws 404. */
export async function setDefaultScope(
  { prisma }: Database,
  tenantId: TenantId,
  scopeId: string,
): Promise<ScopeDescriptor> {
  const scope = await prisma.scope.findUnique({
    where: { tenantId_scopeId: { tenantId, scopeId } },
    select: { ...descriptorSelect, scopeKey: true },
  });
  if (scope === null) throw scopeNotFound(scopeId);
  await prisma.tenant.update({
    where: { tenantId },
    data: { defaultScopeKey: scope.scopeKey },
    select: { tenantId: true },
  });
  return toDescriptor(scope);
}
