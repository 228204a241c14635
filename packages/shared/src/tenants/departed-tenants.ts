import {
  column,
  type Database,
  deploymentStatement,
  isReadableHere,
  type Sql,
  type TenantId,
} from '@continuity/kernel/database';
import type { Logger } from '@continuity/kernel/telemetry';
import { ask, type DirectoryServer, type Place } from './directory-server.ts';
import { readPlace } from './directory-table.ts';
import { findPlacedTenants, isOlder } from './ensure-tenant.ts';
import { tenantOnServerLock } from './move/run-locks.ts';

/** A run of `continuity tenants` holds this lock on both of its servers. */
const lockTenant = deploymentStatement(
  'departed_tenant_lock',
  `SELECT pg_try_advisory_xact_lock(${tenantOnServerLock}, $1) AS is_mine`,
  { is_mine: column.boolean },
);

const insertLeft = deploymentStatement(
  'departed_tenant_left',
  `INSERT INTO tenant_moves (tenant_id, name, state, peer, run)
   SELECT tenant_id, name, 'left', $2, gen_random_uuid() FROM tenants t
   WHERE tenant_id = $1 AND (move_seal IS NULL OR move_seal < $3::uuid) AND ${isReadableHere('t.tenant_id')}
   ON CONFLICT (tenant_id) DO UPDATE SET state = 'left', peer = excluded.peer, run = excluded.run, progress = NULL,
     blocked_until = NULL, deleted_at = NULL, changed_at = now() WHERE tenant_moves.state IN ('leaving', 'blocked')
   RETURNING name`,
  { name: column.text },
);

/** The directory as of the last look-up. */
interface KnownPlaces {
  places: ReadonlyMap<string, Place>;
  /** Whether it has all tenants: one without a place may be away as well. */
  areAllKnown: boolean;
}

/**
 * Tenants that have moved away, and that a server which was restored to a time before still works for. Keeps the servers whose tenants were
 * not all compared with the directory yet.
 */
export class DepartedTenants {
  readonly #servers: readonly DirectoryServer[];
  readonly #logger: Logger;
  readonly #isFirst: (error: string) => boolean;
  readonly #waiting = new Set<string>();

  /** `isFirst` says whether an error is to be logged. */
  constructor(servers: readonly DirectoryServer[], logger: Logger, isFirst: (error: string) => boolean) {
    this.#servers = servers;
    this.#logger = logger;
    this.#isFirst = isFirst;
  }

  /** Adds a server that may have been restored. Call it when the server answers for the first time, or again. */
  add(server: string): void {
    this.#waiting.add(server);
  }

  /**
   * Ends the work of tenants on servers that were restored to a time before they moved away. Call it again and again: a server is looked at
   * until all its tenants were. Never rejects: without an answer of the directory or of the other server, nothing changes.
   */
  async endWork(readKnown: () => KnownPlaces): Promise<void> {
    for (const server of [...this.#waiting]) {
      this.#waiting.delete(server);
      const { places, areAllKnown } = readKnown();
      const isEnded = await this.#endOn(server, places);
      if (!isEnded || !areAllKnown) this.#waiting.add(server);
    }
  }

  async #endOn(server: string, places: ReadonlyMap<string, Place>): Promise<boolean> {
    const restored = this.#servers.find(({ entry }) => entry.name === server);
    const away = new Map([...places].filter(([, place]) => place.server !== server));
    if (restored === undefined || away.size === 0) return true;
    try {
      const { ended, errors } = await endDepartedTenants(this.#servers, restored, away);
      for (const tenant of ended)
        this.#logger.error(
          { tenant, servers: [server] },
          'a database server was restored to a time before the tenant moved away: the tenant does not work there any more',
        );
      if (errors.length > 0) throw errors[0];
      return true;
    } catch (error) {
      if (this.#isFirst(`departed ${server} ${error}`))
        this.#logger.warn(
          { err: error, server },
          'tenants that the server may have kept from a backup were not looked up yet',
        );
      return false;
    }
  }
}

/**
 * Ends the work of tenants on a server that says that they work there, while the directory has them on another server that says so too: the
 * server was restored to a backup from before they moved away, and its workers would run their old jobs. A move from there that the backup has
 * begun ends as well. A tenant that no server but this one has as of its last move is left alone. Returns the names of those whose work has ended,
 * and the errors of those to try again: a server does not answer, or a run of `continuity tenants` moves the tenant.
 *
 * @param servers all, the one with the directory first
 * @param away tenants that the directory has on other servers
 */
async function endDepartedTenants(
  servers: readonly DirectoryServer[],
  restored: DirectoryServer,
  away: ReadonlyMap<string, Place>,
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
    const place = directory && (await readPlace(directory, tenantId));
    const home = servers.find(({ entry }) => entry.name === place?.server);
    if (place === undefined || home === undefined || home.database === restored) return false;
    const there = (await ask(home, (database) => findPlacedTenants(database, [name]))).get(name);
    if (
      place.moveVersion === null ||
      there?.tenantId !== tenantId ||
      isOlder(there.moveVersion, place.moveVersion)
    )
      return false;
    return (await sql.first(insertLeft, [tenantId, place.server, place.moveVersion])) !== undefined;
  });
}
