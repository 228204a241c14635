import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import type { Database, TenantId } from '@continuity/kernel/database';
import { isUniqueViolation, serviceError } from '@continuity/kernel/errors';
import { digestBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { descriptorData, descriptorSelect, toDescriptor } from './descriptor.ts';
import { namedScopes, normalizeFields } from './fields.ts';
import { requireScopes } from './require-scopes.ts';

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
