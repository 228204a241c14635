import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import {
  column,
  type Database,
  optimizationFence,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation, serviceError, staleVersion } from '@continuity/kernel/errors';
import { digestBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import {
  descriptorData,
  descriptorSelect,
  namedScopes,
  normalizeFields,
  rejectSelfReference,
  toDescriptor,
} from './descriptor.ts';
import { requireScopes } from './find-scope.ts';

interface ScopeCreation {
  tenantId: TenantId;
  idempotencyKey: string;
  fields: ScopeFields;
}

/**
 * Creates one Scope for each idempotency key of the tenant (spec 10 §4). A repeat returns the current Scope,
 * and does not check its parent and references again. Throws 409 `scope_conflict` for a key that was used with another body,
 * then 404 for an unknown parent or reference.
 */
export async function createScope(database: Database, creation: ScopeCreation): Promise<ScopeDescriptor> {
  const { tenantId, idempotencyKey } = creation;
  const fields = normalizeFields(creation.fields);
  const bodyDigest = digestBytes(fields);
  const created = await findCreatedScope(database, creation, bodyDigest);
  if (created !== undefined) return created;
  await requireScopes(database, tenantId, namedScopes(fields));
  const descriptor: ScopeDescriptor = { scope_id: newId(), ...fields, version: 1 };
  try {
    await database.prismaTransaction(async ({ prisma }) => {
      const { scopeKey } = await prisma.scope.create({
        data: { tenantId, scopeId: descriptor.scope_id, ...descriptorData(descriptor) },
        select: { scopeKey: true },
      });
      await prisma.scopeCreation.create({
        data: { tenantId, idempotencyKey, bodyDigest, scopeKey },
        select: { scopeKey: true },
      });
    });
    return descriptor;
  } catch (error) {
    if (!isUniqueViolation(error, 'scope_creations_key')) throw error;
    // A concurrent request with the same key committed first.
    const first = await findCreatedScope(database, creation, bodyDigest);
    if (first === undefined) throw error;
    return first;
  }
}

async function findCreatedScope(
  { prisma }: Database,
  { tenantId, idempotencyKey }: ScopeCreation,
  bodyDigest: Buffer,
): Promise<ScopeDescriptor | undefined> {
  const creation = await prisma.scopeCreation.findUnique({
    where: { tenantId_idempotencyKey: { tenantId, idempotencyKey } },
    select: { bodyDigest: true, scope: { select: descriptorSelect } },
  });
  if (creation === null) return undefined;
  if (creation.bodyDigest.equals(bodyDigest)) return toDescriptor(creation.scope);
  throw serviceError('scope_conflict', {
    message: 'The idempotency_key was used with another body. Use a new key for a new body.',
    details: { reason: 'idempotency_key', scope_id: creation.scope.scopeId },
  });
}

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

const lockHierarchyStatement = statement(
  'lock_scope_hierarchy',
  'SELECT FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE',
);

/**
 * Walks from the parent up to the root. UNION removes ids that were visited, so that a cycle ends the walk. OFFSET makes each
 * step an index look-up.
 */
const isBelowStatement = statement(
  'is_scope_below',
  `WITH RECURSIVE above AS (
     SELECT $2::text COLLATE "C" AS scope_id
     UNION
     SELECT next.parent_scope_id
     FROM above CROSS JOIN LATERAL (
       SELECT s.parent_scope_id FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = above.scope_id ${optimizationFence}
     ) AS next
     WHERE next.parent_scope_id IS NOT NULL
   )
   SELECT EXISTS (SELECT FROM above WHERE scope_id = $3) AS is_below`,
  { is_below: column.boolean },
);

/**
 * Locks the tenant's hierarchy until the transaction ends, so that parent changes run one at a time. Throws 409
 * `scope_conflict` if the new parent is a descendant of the Scope. The check is a separate statement, so that it sees what the
 * previous holder of the lock committed.
 */
export async function lockHierarchy(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  parentId: string | null,
): Promise<void> {
  await sql.rows(lockHierarchyStatement, [tenantId]);
  if (parentId === null) return;
  const row = await sql.first(isBelowStatement, [tenantId, parentId, scopeId]);
  if (row?.is_below !== true) return;
  throw serviceError('scope_conflict', {
    message: 'The parent is a descendant of this Scope. Choose another parent.',
    details: { reason: 'cycle' },
  });
}
