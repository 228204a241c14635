import type { ScopeDescriptor } from '@continuity/contract/scopes';
import type { Database, Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { descriptorSelect, scopeNotFound, toDescriptor } from './descriptor.ts';

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
