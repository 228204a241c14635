import { column, deploymentStatement } from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import type { Logger } from '@continuity/kernel/telemetry';
import { ask, type DirectoryServer } from './directory-server.ts';
import { findPlacedTenants, isOlder, type PlacedTenant } from './ensure-tenant.ts';
import { chooseServers, readServerSize } from './server-room.ts';
import { endStrayWork } from './stray-tenants.ts';

/** Limit of the tenants of one insert: each holds a lock, of which a server has some thousands. */
const insertBatch = 500;

const selectListed = deploymentStatement(
  'tenant_servers_by_name',
  'SELECT name, tenant_id, server, move_seal FROM tenant_servers WHERE name = ANY($1::text[])',
  { name: column.text, tenant_id: column.tenantId, server: column.text, move_seal: column.uuid.orNull() },
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

interface Place extends PlacedTenant {
  server: string;
}

/** A tenant that is on one server. */
interface FoundTenant extends Place {
  name: string;
}

/**
 * On which database server each tenant is, in a deployment with several: the one place that decides it. The table `tenant_servers` of the
 * first server lists all tenants, and draws their ids, so that ids are unique in the deployment. `chooseServers` says where a new one goes.
 *
 * A server knows its own tenants too, by their rows in `tenants`. So a tenant that is not listed yet, such as those of a deployment that had
 * one server, is found there, and while the first server is down, the tenants of the others are. A name is new only if every server has
 * said that it does not have it. The table refuses a tenant that is on the first server as well.
 */
export class TenantDirectory {
  readonly #servers: readonly DirectoryServer[];
  readonly #logger: Logger;
  #names: readonly string[] = [];
  #places: ReadonlyMap<string, Place> = new Map();
  #refreshing: Promise<void> | undefined;
  #lastProblem: string | undefined;
  /** Errors of tenants that were logged since `use`. */
  readonly #reported = new Set<string>();
  /** Servers on which the work of tenants that they have from a backup is still to be ended. */
  readonly #restored = new Set<string>();

  constructor(servers: readonly DirectoryServer[], logger: Logger) {
    this.#servers = servers;
    this.#logger = logger;
  }

  /** Names that have no server: one of the servers that may have them, or the first one, does not answer. */
  get unplaced(): readonly string[] {
    return this.#names.filter((name) => !this.#places.has(name));
  }

  /** Sets the tenants of this process, and looks them up. Never rejects: see `unplaced`. */
  async use(names: readonly string[]): Promise<void> {
    // In one order, so that the inserts of several gateways do not wait for each other in a circle.
    this.#names = [...new Set(names)].sort();
    this.#refreshing = undefined;
    this.#reported.clear();
    await this.refresh();
  }

  /** The server of a tenant, as of the last look-up. */
  serverOf(name: string): string | undefined {
    return this.#places.get(name)?.server;
  }

  /** As `serverOf`, with the move that brought the tenant there. */
  placeOf(name: string): Readonly<Place> | undefined {
    return this.#places.get(name);
  }

  /** The tenants of a server, as of the last look-up. */
  tenantsOf(server: string): Map<string, PlacedTenant> {
    return new Map([...this.#places].filter(([, place]) => place.server === server));
  }

  /**
   * Lets `endStrayWork` look for tenants that a server may have from a backup. Call it when the server answers for the first time, or again.
   */
  expectStrayWork(server: string): void {
    this.#restored.add(server);
  }

  /**
   * Ends the work of tenants on servers that were restored to a time before they moved away: see `endStrayWork`. Call it again and again: a
   * server is looked at until all its tenants were. Never rejects: without an answer of the directory or of the other server, nothing changes.
   */
  async endStrayWork(): Promise<void> {
    for (const server of [...this.#restored]) {
      this.#restored.delete(server);
      if (!(await this.#endStrayWorkOn(server))) this.#restored.add(server);
    }
  }

  async #endStrayWorkOn(server: string): Promise<boolean> {
    const restored = this.#servers.find(({ entry }) => entry.name === server);
    const away = new Map([...this.#places].filter(([, place]) => place.server !== server));
    // A tenant without a place may be away as well.
    const areAllKnown = this.unplaced.length === 0;
    if (restored === undefined || away.size === 0) return areAllKnown;
    try {
      const { ended, errors } = await endStrayWork(this.#servers, restored, away);
      for (const tenant of ended)
        this.#logger.error(
          { tenant, servers: [server] },
          'a database server was restored to a time before the tenant moved away: the tenant does not work there any more',
        );
      if (errors.length > 0) throw errors[0];
      return areAllKnown;
    } catch (error) {
      if (this.#isFirst(`stray ${server} ${error}`))
        this.#logger.warn(
          { err: error, server },
          'tenants that the server may have kept from a backup were not looked up yet',
        );
      return false;
    }
  }

  /** Logs tenants whose server has them as of a time before their last move, or not at all: each once. */
  reportStale(names: readonly string[]): void {
    for (const tenant of names)
      this.#report(
        { tenant, servers: [this.serverOf(tenant) ?? ''] },
        'the database server of the tenant was restored to a time before the tenant moved there: its requests get 503',
      );
  }

  /** Looks all tenants up again, and places new ones. Concurrent calls share a look-up. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      const lookUp: Promise<void> = this.#lookUp().finally(() => {
        // `use` may have begun another one.
        if (this.#refreshing === lookUp) this.#refreshing = undefined;
      });
      this.#refreshing = lookUp;
    }
    await this.#refreshing;
  }

  async #lookUp(): Promise<void> {
    const names = this.#names;
    let places: Map<string, Place> | undefined;
    let later: string[] = [];
    try {
      places = await this.#listed(names);
      later = await this.#findLater(places);
      const missing = names.filter((name) => !places?.has(name));
      if (missing.length > 0) places = await this.#enter(names, missing);
      this.#lastProblem = undefined;
    } catch (error) {
      this.#warn(
        'the directory of tenants could not be read: what is known, and what the other servers say of their tenants, is used',
        error,
      );
      places ??= new Map([...this.#places].filter(([name]) => names.includes(name)));
      const missing = names.filter((name) => !places?.has(name));
      const { found, silent } = await this.#findOnServers(missing);
      // What a server says of its own tenants is enough to serve them, if no other one has them as of a later move.
      if (silent.every((server) => server === this.#directory()))
        for (const { name, ...place } of found) places.set(name, place);
    }
    for (const name of later) places.delete(name);
    if (names === this.#names) this.#places = places;
  }

  /** Enters tenants that the directory does not have yet, and returns the places of all `names`. */
  async #enter(names: readonly string[], missing: readonly string[]): Promise<Map<string, Place>> {
    const { found, unknown, silent } = await this.#findOnServers(missing);
    // A server that does not answer may have a tenant of the same name, which somebody has to rename first.
    if (silent.length === 0)
      await this.#insertFound(found.sort((one, other) => (one.name < other.name ? -1 : 1)));
    await this.#placeNew(unknown);
    const places = await this.#listed(names);
    // Tenants that were created before there were several servers, and have never moved, are served meanwhile.
    if (silent.length > 0)
      for (const { name, ...place } of found)
        if (place.server === this.#directory().entry.name && place.moveSeal === null) places.set(name, place);
    return places;
  }

  async #listed(names: readonly string[]): Promise<Map<string, Place>> {
    const rows = await ask(this.#directory(), ({ sql }) => sql.rows(selectListed, [names]));
    return new Map(
      rows.map((row) => [row.name, { server: row.server, tenantId: row.tenant_id, moveSeal: row.move_seal }]),
    );
  }

  /**
   * Names of tenants that work on the server that the directory says, and on another one as of a later move: the directory was restored together
   * with that server. Neither of the two serves them.
   */
  async #findLater(places: ReadonlyMap<string, Place>): Promise<string[]> {
    const { owners } = await this.#askServers([...places.keys()]);
    return [...places].flatMap(([name, place]) => {
      const own = (owners.get(name) ?? []).filter(({ tenantId }) => tenantId === place.tenantId);
      const later = own.find(
        ({ server, moveSeal }) => server !== place.server && isOlder(place.moveSeal, moveSeal),
      );
      // While a move ends, the tenant works on the server after alone.
      if (later === undefined || own.every(({ server }) => server !== place.server)) return [];
      this.#report(
        { tenant: name, servers: [place.server, later.server] },
        'the directory of tenants was restored to a time before the tenant moved: the tenant is not served',
      );
      return [name];
    });
  }

  /** Asks all servers for tenants. `silent` are those that do not answer. */
  async #askServers(
    names: readonly string[],
  ): Promise<{ owners: Map<string, FoundTenant[]>; silent: DirectoryServer[] }> {
    const owners = new Map<string, FoundTenant[]>();
    const silent: DirectoryServer[] = [];
    if (names.length === 0) return { owners, silent };
    const answers = await Promise.allSettled(
      this.#servers.map((server) => ask(server, (database) => findPlacedTenants(database, names))),
    );
    for (const [index, answer] of answers.entries()) {
      const server = this.#servers[index];
      if (server === undefined) continue;
      if (answer.status === 'rejected') silent.push(server);
      else
        for (const [name, tenant] of answer.value)
          owners.set(name, [...(owners.get(name) ?? []), { name, ...tenant, server: server.entry.name }]);
    }
    return { owners, silent };
  }

  /** Finds tenants by the rows of all servers. `unknown` are the names that every server says it does not have. */
  async #findOnServers(names: readonly string[]): Promise<{
    found: FoundTenant[];
    unknown: string[];
    silent: DirectoryServer[];
  }> {
    const { owners, silent } = await this.#askServers(names);
    const twice = [...owners.values()].filter((places) => places.length > 1);
    for (const places of twice)
      this.#report(
        { tenant: places[0]?.name, servers: places.map(({ server }) => server) },
        'a tenant exists on several database servers: rename it on one of them, in its table tenants',
      );
    return {
      found: [...owners.values()].filter((places) => places.length === 1).flat(),
      unknown: silent.length === 0 ? names.filter((name) => !owners.has(name)) : [],
      silent,
    };
  }

  async #placeNew(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const sizes = await Promise.all(
      this.#servers.map(async (server) => ({
        ...server.entry,
        ...(await ask(server, ({ sql }) => readServerSize(sql))),
      })),
    );
    const chosen = chooseServers(names, sizes);
    if (chosen.size < names.length)
      this.#logger.error(
        { tenants: names.length - chosen.size },
        'no server of DATABASE_SERVERS_FILE takes new tenants',
      );
    for (const batch of batchesOf([...chosen])) {
      const values = [batch.map(([name]) => name), batch.map(([, server]) => server)];
      await ask(this.#directory(), ({ sql }) => sql.rows(insertNew, values));
    }
  }

  async #insertFound(found: readonly FoundTenant[]): Promise<void> {
    for (const batch of batchesOf(found)) {
      try {
        await this.#list(batch);
      } catch (error) {
        if (!isRefused(error)) throw error;
        for (const tenant of batch) await this.#listAlone(tenant);
      }
    }
  }

  /** A tenant whose id another one has, such as one of a deployment of its own before, must not keep others from their servers. */
  async #listAlone(tenant: FoundTenant): Promise<void> {
    try {
      await this.#list([tenant]);
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#report(
        { tenant: tenant.name, servers: [tenant.server], err: error },
        'a tenant of this database server cannot be listed: another tenant of the deployment has its id or its name',
      );
    }
  }

  async #list(found: readonly FoundTenant[]): Promise<void> {
    const values = [
      found.map(({ name }) => name),
      found.map(({ tenantId }) => tenantId),
      found.map(({ server }) => server),
      found.map(({ moveSeal }) => moveSeal),
    ];
    await ask(this.#directory(), ({ sql }) => sql.rows(insertFound, values));
  }

  #directory(): DirectoryServer {
    const [first] = this.#servers;
    if (first === undefined) throw new Error('A deployment has a database server.');
    return first;
  }

  /** Logs an error of a tenant once, not in each look-up. */
  #report(fields: { tenant: string | undefined; servers: string[]; err?: unknown }, message: string): void {
    if (this.#isFirst(`${message} ${fields.tenant}`)) this.#logger.error(fields, message);
  }

  #isFirst(key: string): boolean {
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }

  /** Logs a problem once, not in each look-up that it lasts. */
  #warn(message: string, error: unknown): void {
    const problem = String(error);
    if (problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#logger.warn({ err: error }, message);
  }
}

/** SQLSTATE of the trigger that refuses a tenant which is on the first server, or another one. */
const elsewhere = 'CS001';

function isRefused(error: unknown): boolean {
  return isUniqueViolation(error) || (error as { code?: unknown }).code === elsewhere;
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / insertBatch);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * insertBatch, (index + 1) * insertBatch),
  );
}
