import { type Database, isUniqueViolation, newId, type TenantId } from '@continuity/shared/kernel';

/** Finds the id of a tenant by its name. Creates an unknown tenant with its default Scope (spec 10 §4). */
export async function ensureTenant(database: Database, name: string): Promise<TenantId> {
  const found = await findTenant(database, name);
  if (found !== undefined) return found;
  try {
    return await createTenant(database, name);
  } catch (error) {
    if (!isUniqueViolation(error, 'tenants_name_key')) throw error;
    // Another process created the tenant first.
    const first = await findTenant(database, name);
    if (first === undefined) throw error;
    return first;
  }
}

function createTenant(database: Database, name: string): Promise<TenantId> {
  return database.prismaTransaction(async ({ prisma }) => {
    const { tenantId } = await prisma.tenant.create({ data: { name }, select: { tenantId: true } });
    const scope = { tenantId, scopeId: newId(), title: 'Default', summary: 'Default context' };
    const { scopeKey } = await prisma.scope.create({ data: scope, select: { scopeKey: true } });
    await prisma.tenant.update({
      where: { tenantId },
      data: { defaultScopeKey: scopeKey },
      select: { tenantId: true },
    });
    return tenantId;
  });
}

async function findTenant({ prisma }: Database, name: string): Promise<TenantId | undefined> {
  const tenant = await prisma.tenant.findUnique({ where: { name }, select: { tenantId: true } });
  return tenant?.tenantId;
}
