import type { Queries, TenantId } from '@continuity/kernel/database';

/** Reads the name of a tenant that exists. */
export async function findTenantName(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
): Promise<string> {
  const { name } = await prisma.tenant.findUniqueOrThrow({ where: { tenantId }, select: { name: true } });
  return name;
}
