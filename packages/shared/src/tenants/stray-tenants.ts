import {
  column,
  type Database,
  deploymentStatement,
  isReadableHere,
  type Sql,
  type TenantId,
} from '@continuity/kernel/database';
import { ask, type DirectoryServer } from './directory-server.ts';
import { findPlacedTenants, isOlder, type PlacedTenant } from './ensure-tenant.ts';
import { tenantOnServerLock } from './move/run-locks.ts';

/** Where the directory has a tenant. */
interface Away extends PlacedTenant {
  server: string;
}

const selectPlace = deploymentStatement(
  'stray_tenant_place',
  'SELECT server, move_seal FROM tenant_servers WHERE tenant_id = $1',
  { server: column.text, move_seal: column.uuid.orNull() },
);

/** A run of `continuity tenants` holds this lock on both of its servers. */
const lockTenant = deploymentStatement(
  'stray_tenant_lock',
  `SELECT pg_try_advisory_xact_lock(${tenantOnServerLock}, $1) AS is_mine`,
  { is_mine: column.boolean },
);

const insertLeft = deploymentStatement(
  'stray_tenant_left',
  `INSERT INTO tenant_moves (tenant_id, name, state, peer, run)
   SELECT tenant_id, name, 'left', $2, gen_random_uuid() FROM tenants t
   WHERE tenant_id = $1 AND (move_seal IS NULL OR move_seal < $3::uuid) AND ${isReadableHere('t.tenant_id')}
   ON CONFLICT (tenant_id) DO UPDATE SET state = 'left', peer = excluded.peer, run = excluded.run, progress = NULL,
     blocked_until = NULL, deleted_at = NULL, changed_at = now() WHERE tenant_moves.state IN ('leaving', 'blocked')
   RETURNING name`,
  { name: column.text },
);

/**
 * Ends the work of tenants on a server that says that they work there, while the directory has them on another server that says so too: the
 * server was restored to a backup from before they moved away, and its workers would run their old jobs. A move from there that the backup has
 * begun ends as well. A tenant that no server but this one has as of its last move is left alone. Returns the names of those whose work has ended,
 * and the errors of those to try again: a server does not answer, or a run of `continuity tenants` moves the tenant.
 *
 * @param servers all, the one with the directory first
 * @param away tenants that the directory has on other servers
 */
export async function endStrayWork(
  servers: readonly DirectoryServer[],
  restored: DirectoryServer,
  away: ReadonlyMap<string, Away>,
): Promise<{ ended: string[]; errors: unknown[] }> {
  const found = await ask(restored, (database) => findPlacedTenants(database, [...away.keys()]));
  const ended: string[] = [];
  const errors: unknown[] = [];
  for (const [name, { tenantId }] of found) {
    if (away.get(name)?.tenantId !== tenantId) continue;
    try {
      if (await ask(restored, (database) => endOne(servers, database, name, tenantId))) ended.push(name);
    } catch (error) {
      errors.push(error);
    }
  }
  return { ended, errors };
}

async function endOne(
  servers: readonly DirectoryServer[],
  restored: Database,
  name: string,
  tenantId: TenantId,
): Promise<boolean> {
  return await restored.transaction(async (sql: Sql) => {
    const lock = await sql.first(lockTenant, [tenantId]);
    if (lock?.is_mine !== true) throw new Error('A run of `continuity tenants` moves the tenant.');
    // While this holds the lock, no move ends on the restored server.
    const [directory] = servers;
    const place =
      directory && (await ask(directory, (database) => database.sql.first(selectPlace, [tenantId])));
    const home = servers.find(({ entry }) => entry.name === place?.server);
    if (place === undefined || home === undefined || home.database === restored) return false;
    const there = (await ask(home, (database) => findPlacedTenants(database, [name]))).get(name);
    if (place.move_seal === null || there?.tenantId !== tenantId || isOlder(there.moveSeal, place.move_seal))
      return false;
    return (await sql.first(insertLeft, [tenantId, place.server, place.move_seal])) !== undefined;
  });
}
