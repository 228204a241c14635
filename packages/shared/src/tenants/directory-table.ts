import { chunksOf, column, deploymentStatement, type TenantId } from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { ask, type DirectoryServer, type FoundTenant, type Place } from './directory-server.ts';

/** Limit of the tenants of one insert: each holds a lock, of which a server has some thousands. */
const insertBatch = 500;

const selectByName = deploymentStatement(
  'tenant_servers_by_name',
  'SELECT name, tenant_id, server, move_seal FROM tenant_servers WHERE name = ANY($1::text[])',
  { name: column.text, tenant_id: column.tenantId, server: column.text, move_seal: column.uuid.orNull() },
);

const selectById = deploymentStatement(
  'tenant_servers_by_id',
  'SELECT server, move_seal FROM tenant_servers WHERE tenant_id = $1',
  { server: column.text, move_seal: column.uuid.orNull() },
);

/** A tenant that another gateway has listed first stays where it is. */
const insertFound = deploymentStatement(
  'tenant_servers_insert_found',
  `INSERT INTO tenant_servers (name, tenant_id, server, move_seal)
   SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::uuid[]) ON CONFLICT (name) DO NOTHING`,
);

/** The database draws the id of a new tenant at random. */
const insertNew = deploymentStatement(
  'tenant_servers_insert_new',
  `INSERT INTO tenant_servers (name, server)
   SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (name) DO NOTHING`,
);

/** Reads the places of tenants by their names. Leaves out those that are not listed. */
export async function readPlaces(
  directory: DirectoryServer,
  names: readonly string[],
): Promise<Map<string, Place>> {
  const rows = await ask(directory, ({ sql }) => sql.rows(selectByName, [names]));
  return new Map(
    rows.map((row) => [
      row.name,
      { server: row.server, tenantId: row.tenant_id, moveVersion: row.move_seal },
    ]),
  );
}

/** Reads the place of one tenant by its id. */
export async function readPlace(directory: DirectoryServer, tenantId: TenantId): Promise<Place | undefined> {
  const row = await ask(directory, ({ sql }) => sql.first(selectById, [tenantId]));
  return row && { server: row.server, tenantId, moveVersion: row.move_seal };
}

/** Lists new tenants, each on the server that was chosen for it. */
export async function listNew(
  directory: DirectoryServer,
  chosen: ReadonlyMap<string, string>,
): Promise<void> {
  for (const batch of chunksOf([...chosen], insertBatch)) {
    const values = [batch.map(([name]) => name), batch.map(([, server]) => server)];
    await ask(directory, ({ sql }) => sql.rows(insertNew, values));
  }
}

/**
 * Lists tenants that servers have. A tenant whose id another one has, such as one of a deployment of its own before, must not keep others
 * from their servers: `onRefused` is called for each that the table refuses.
 */
export async function listFound(
  directory: DirectoryServer,
  found: readonly FoundTenant[],
  onRefused: (tenant: FoundTenant, error: unknown) => void,
): Promise<void> {
  for (const batch of chunksOf(found, insertBatch)) {
    if ((await tryList(directory, batch)) === undefined) continue;
    for (const tenant of batch) {
      const error = await tryList(directory, [tenant]);
      if (error !== undefined) onRefused(tenant, error);
    }
  }
}

/** Returns the error of the table if it refuses one of the tenants. */
async function tryList(directory: DirectoryServer, found: readonly FoundTenant[]): Promise<unknown> {
  const values = [
    found.map(({ name }) => name),
    found.map(({ tenantId }) => tenantId),
    found.map(({ server }) => server),
    found.map(({ moveVersion }) => moveVersion),
  ];
  try {
    await ask(directory, ({ sql }) => sql.rows(insertFound, values));
    return undefined;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return error;
  }
}

/** SQLSTATE of the trigger that refuses a tenant which is on the first server, or another one. */
const elsewhere = 'CS001';

function isRefused(error: unknown): boolean {
  return isUniqueViolation(error) || (error as { code?: unknown }).code === elsewhere;
}
