import type { Logger } from '@continuity/kernel/telemetry';
import { DepartedTenants } from './departed-tenants.ts';
import { ask, type DirectoryServer, type FoundTenant, findOwners, type Place } from './directory-server.ts';
import { listFound, listNew, readPlaces } from './directory-table.ts';
import { isOlder, type PlacedTenant } from './ensure-tenant.ts';
import { chooseServers, readServerSize } from './server-room.ts';

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
  readonly #departed: DepartedTenants;

  constructor(servers: readonly DirectoryServer[], logger: Logger) {
    this.#servers = servers;
    this.#logger = logger;
    this.#departed = new DepartedTenants(servers, logger, (error) => this.#isFirst(error));
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

  /** Call it when a server answers for the first time, or again: it may have been restored to a time before tenants moved away. */
  expectDeparted(server: string): void {
    this.#departed.add(server);
  }

  /** Ends the work of servers for tenants that have moved away. Call it again and again: see `DepartedTenants`. Never rejects. */
  async endDepartedWork(): Promise<void> {
    await this.#departed.endWork(() => ({
      places: this.#places,
      areAllKnown: this.unplaced.length === 0,
    }));
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
      places = await readPlaces(this.#directory(), names);
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
    const places = await readPlaces(this.#directory(), names);
    // Tenants that were created before there were several servers, and have never moved, are served meanwhile.
    if (silent.length > 0)
      for (const { name, ...place } of found)
        if (place.server === this.#directory().entry.name && place.moveVersion === null)
          places.set(name, place);
    return places;
  }

  /**
   * Names of tenants that work on the server that the directory says, and on another one as of a later move: the directory was restored together
   * with that server. Neither of the two serves them.
   */
  async #findLater(places: ReadonlyMap<string, Place>): Promise<string[]> {
    const { owners } = await findOwners(this.#servers, [...places.keys()]);
    return [...places].flatMap(([name, place]) => {
      const own = (owners.get(name) ?? []).filter(({ tenantId }) => tenantId === place.tenantId);
      const later = own.find(
        ({ server, moveVersion }) => server !== place.server && isOlder(place.moveVersion, moveVersion),
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

  /** Finds tenants by the rows of all servers. `unknown` are the names that every server says it does not have. */
  async #findOnServers(names: readonly string[]): Promise<{
    found: FoundTenant[];
    unknown: string[];
    silent: DirectoryServer[];
  }> {
    const { owners, silent } = await findOwners(this.#servers, names);
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
    await listNew(this.#directory(), chosen);
  }

  async #insertFound(found: readonly FoundTenant[]): Promise<void> {
    await listFound(this.#directory(), found, ({ name, server }, error) =>
      this.#report(
        { tenant: name, servers: [server], err: error },
        'a tenant of this database server cannot be listed: another tenant of the deployment has its id or its name',
      ),
    );
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
