import {
  column,
  type Database,
  deploymentStatement,
  isReadableHere,
  pick,
  type Queries,
  statement,
  statesElsewhere,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation, serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';

// Statements, because every gateway runs them as it starts: Prisma Client takes 20 MB of memory from its first use.

const selectTenants = deploymentStatement(
  'tenants_by_name',
  `SELECT name, tenant_id, move_seal FROM tenants WHERE name = ANY($1::text[]) AND ${isReadableHere('tenants.tenant_id')}`,
  { name: column.text, tenant_id: column.tenantId, move_seal: column.uuid.orNull() },
);

/** Tenants that are moving to this server, or have moved away from it. */
const selectElsewhere = deploymentStatement(
  'tenants_elsewhere',
  `SELECT tenant_id FROM tenant_moves WHERE tenant_id = ANY($1::int[]) AND state IN ${statesElsewhere}`,
  pick(tables.tenant_moves, 'tenant_id'),
);

/** The database draws the id at random, so that no other history of the database gives it to another tenant. */
const insertTenant = deploymentStatement(
  'insert_tenant',
  'INSERT INTO tenants (name) VALUES ($1) RETURNING tenant_id',
  pick(tables.tenants, 'tenant_id'),
);

/** As `insertTenant`, with the id that the directory of several servers has drawn. */
const insertPlacedTenant = deploymentStatement(
  'insert_placed_tenant',
  'INSERT INTO tenants (name, tenant_id) VALUES ($1, $2) RETURNING tenant_id',
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
  const found = await findTenants(database, names);
  for (const name of names) {
    if (!found.has(name)) found.set(name, await createOrFindTenant(database, name));
  }
  return found;
}

/** A tenant as a server or the directory has it. */
export interface PlacedTenant {
  tenantId: TenantId;
  /** Version of the move that brought it to its server (columns `move_seal`); null if it was created there. A later move has a greater one. */
  moveVersion: string | null;
}

/** The tenants that the directory has on a server, as that server has them. */
export interface TenantsHere {
  here: Map<string, TenantId>;
  /** Names of those that the server has as of a time before their last move, or not at all: it was restored to an earlier backup. */
  stale: string[];
}

/**
 * Makes sure that the tenants that the directory has on this server exist here, with these ids, and returns them. Leaves out tenants whose
 * move to another server this directory does not show yet. Throws if one has another id: it was created without the directory.
 */
export async function ensurePlacedTenants(
  database: Database,
  placed: ReadonlyMap<string, PlacedTenant>,
): Promise<TenantsHere> {
  const found = await findPlacedTenants(database, [...placed.keys()]);
  const missing = [...placed].filter(([name]) => !found.has(name));
  const elsewhere = missing.length === 0 ? new Set() : await findElsewhere(database, missing);
  const here = new Map<string, TenantId>();
  const stale: string[] = [];
  for (const [name, { tenantId, moveVersion }] of placed) {
    if (elsewhere.has(tenantId)) continue;
    const known = found.get(name);
    if (isOlder(known?.moveVersion ?? null, moveVersion)) {
      stale.push(name);
      continue;
    }
    if (known !== undefined && known.tenantId !== tenantId) throw otherId(name);
    const own = known?.tenantId ?? (await createOrFindTenant(database, name, tenantId));
    if (own !== tenantId) throw otherId(name);
    here.set(name, own);
  }
  return { here, stale };
}

function otherId(name: string): Error {
  return new Error(`The tenant "${name}" has another id on its server than in the directory.`);
}

/** Whether the version of one move is earlier than the other one. Null, of a tenant that has not moved, is the earliest. */
export function isOlder(moveVersion: string | null, other: string | null): boolean {
  return other !== null && (moveVersion === null || moveVersion < other);
}

async function findElsewhere({ sql }: Database, missing: [string, PlacedTenant][]): Promise<Set<TenantId>> {
  const rows = await sql.rows(selectElsewhere, [missing.map(([, { tenantId }]) => tenantId)]);
  return new Set(rows.map((row) => row.tenant_id));
}

/** Finds the ids of tenants by their names. Leaves out unknown ones, those that have moved away, and those whose move here has not ended. */
export async function findTenants(
  database: Pick<Database, 'sql'>,
  names: readonly string[],
): Promise<Map<string, TenantId>> {
  const found = await findPlacedTenants(database, names);
  return new Map([...found].map(([name, { tenantId }]) => [name, tenantId]));
}

/** As `findTenants`, with the moves that brought them here. */
export async function findPlacedTenants(
  { sql }: Pick<Database, 'sql'>,
  names: readonly string[],
): Promise<Map<string, PlacedTenant>> {
  const rows = await sql.rows(selectTenants, [names]);
  return new Map(rows.map((row) => [row.name, { tenantId: row.tenant_id, moveVersion: row.move_seal }]));
}

/** `ensureTenants` of one. */
export async function ensureTenant(database: Database, name: string): Promise<TenantId> {
  return (await findTenant(database, name)) ?? (await createOrFindTenant(database, name));
}

async function createOrFindTenant(database: Database, name: string, drawn?: TenantId): Promise<TenantId> {
  try {
    return await createTenant(database, name, drawn);
  } catch (error) {
    if (!isUniqueViolation(error, 'tenants_name_key')) throw error;
    // Another process created the tenant first.
    const first = await findTenant(database, name);
    if (first === undefined) throw error;
    return first;
  }
}

function createTenant(database: Database, name: string, drawn?: TenantId): Promise<TenantId> {
  return database.transaction(async (sql) => {
    const tenant =
      drawn === undefined
        ? await sql.first(insertTenant, [name])
        : await sql.first(insertPlacedTenant, [name, drawn]);
    if (tenant === undefined) throw new Error('PostgreSQL returned no row of the new tenant.');
    await sql.commitWith(insertDefaultScope, [tenant.tenant_id, newId()]);
    return tenant.tenant_id;
  });
}

async function findTenant(database: Database, name: string): Promise<TenantId | undefined> {
  return (await findTenants(database, [name])).get(name);
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
