import {
  column,
  type Database,
  deploymentStatement,
  pick,
  type Queries,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation, serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';

// Statements, because every gateway runs them as it starts: Prisma Client takes 20 MB of memory from its first use.

const selectTenants = deploymentStatement(
  'tenants_by_name',
  'SELECT name, tenant_id FROM tenants WHERE name = ANY($1::text[])',
  { name: column.text, tenant_id: column.tenantId },
);

/** The database draws the id at random, so that no other history of the database gives it to another tenant. */
const insertTenant = deploymentStatement(
  'insert_tenant',
  'INSERT INTO tenants (name) VALUES ($1) RETURNING tenant_id',
  pick(tables.tenants, 'tenant_id'),
);

const insertDefaultScope = statement(
  'insert_default_scope',
  `WITH scope AS (
     INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, $2, 'Default', 'Default context')
     RETURNING tenant_id, scope_key
   )
   UPDATE tenants t SET default_scope_key = scope.scope_key FROM scope WHERE t.tenant_id = scope.tenant_id`,
);

/** Finds the ids of tenants by their names. Creates each unknown tenant with its default Scope (spec 10 §4). */
export async function ensureTenants(
  database: Database,
  names: readonly string[],
): Promise<Map<string, TenantId>> {
  const rows = await database.sql.rows(selectTenants, [names]);
  const found = new Map(rows.map((row) => [row.name, row.tenant_id]));
  for (const name of names) {
    if (!found.has(name)) found.set(name, await createOrFindTenant(database, name));
  }
  return found;
}

/** `ensureTenants` of one. */
export async function ensureTenant(database: Database, name: string): Promise<TenantId> {
  return (await findTenant(database, name)) ?? (await createOrFindTenant(database, name));
}

async function createOrFindTenant(database: Database, name: string): Promise<TenantId> {
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
  return database.transaction(async (sql) => {
    const tenant = await sql.first(insertTenant, [name]);
    if (tenant === undefined) throw new Error('PostgreSQL returned no row of the new tenant.');
    await sql.commitWith(insertDefaultScope, [tenant.tenant_id, newId()]);
    return tenant.tenant_id;
  });
}

async function findTenant({ sql }: Database, name: string): Promise<TenantId | undefined> {
  return (await sql.first(selectTenants, [[name]]))?.tenant_id;
}

/** Reads the name of a tenant. Throws 503 for one that a failover or a restore has lost since its token was looked up. */
export async function findTenantName(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
): Promise<string> {
  const tenant = await prisma.tenant.findUnique({ where: { tenantId }, select: { name: true } });
  if (tenant === null) throw serviceError('database_unavailable');
  return tenant.name;
}
