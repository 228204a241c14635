import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';

/** Reads the name of a tenant. Throws 503 for one that a failover or a restore has lost since its token was looked up. */
export async function findTenantName(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
): Promise<string> {
  const tenant = await prisma.tenant.findUnique({ where: { tenantId }, select: { name: true } });
  if (tenant === null) throw serviceError('database_unavailable');
  return tenant.name;
}
