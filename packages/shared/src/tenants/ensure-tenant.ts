import {
  type Database,
  deploymentStatement,
  pick,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';

// Statements, because every gateway runs them as it starts: Prisma Client takes 20 MB of memory from its first use.

const selectTenant = deploymentStatement(
  'tenant_by_name',
  'SELECT tenant_id FROM tenants WHERE name = $1',
  pick(tables.tenants, 'tenant_id'),
);

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
  return database.transaction(async (sql) => {
    const tenant = await sql.first(insertTenant, [name]);
    if (tenant === undefined) throw new Error('PostgreSQL returned no row of the new tenant.');
    await sql.commitWith(insertDefaultScope, [tenant.tenant_id, newId()]);
    return tenant.tenant_id;
  });
}

async function findTenant({ sql }: Database, name: string): Promise<TenantId | undefined> {
  return (await sql.first(selectTenant, [name]))?.tenant_id;
}
