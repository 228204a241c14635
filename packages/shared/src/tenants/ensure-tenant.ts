import {
  type Database,
  deploymentStatement,
  newId,
  pick,
  type Sql,
  statement,
  tables,
} from '@continuity/shared/kernel';

const findTenant = deploymentStatement(
  'find_tenant',
  'SELECT tenant_id FROM tenants WHERE name = $1',
  pick(tables.tenants, 'tenant_id'),
);

const makeTenant = deploymentStatement(
  'make_tenant',
  'INSERT INTO tenants (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING tenant_id',
  pick(tables.tenants, 'tenant_id'),
);

const makeDefaultScope = statement(
  'make_default_scope',
  `WITH scope AS (
     INSERT INTO scopes (tenant_id, scope_id, title, summary)
     VALUES ($1, $2, 'Default', 'Default context') RETURNING scope_key
   )
   UPDATE tenants SET default_scope_key = scope.scope_key FROM scope WHERE tenant_id = $1`,
);

/** The id of a tenant by its name; makes it, with its default Scope (spec 10 §4), where it is new. */
export async function ensureTenant(database: Database, name: string): Promise<number> {
  return (await find(database.sql, name)) ?? database.transaction((sql) => make(sql, name));
}

async function make(sql: Sql, name: string): Promise<number> {
  const made = await sql.first(makeTenant, [name]);
  if (made !== undefined) {
    await sql.rows(makeDefaultScope, [made.tenant_id, newId()]);
    return made.tenant_id;
  }
  const others = await find(sql, name);
  if (others === undefined) throw new Error('A tenant that another process made is not there.');
  return others;
}

async function find(sql: Sql, name: string): Promise<number | undefined> {
  return (await sql.first(findTenant, [name]))?.tenant_id;
}
