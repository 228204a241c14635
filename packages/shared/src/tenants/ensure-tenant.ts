import {
  type Database,
  deploymentStatement,
  isUniqueViolation,
  newId,
  pick,
  type TenantId,
  tables,
} from '@continuity/shared/kernel';

/** A statement, because every gateway runs it as it starts: Prisma's query compiler takes 10 MB of memory from its first use. */
const selectTenant = deploymentStatement(
  'tenant_by_name',
  'SELECT tenant_id FROM tenants WHERE name = $1',
  pick(tables.tenants, 'tenant_id'),
);

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

async function findTenant({ sql }: Database, name: string): Promise<TenantId | undefined> {
  return (await sql.first(selectTenant, [name]))?.tenant_id;
}
