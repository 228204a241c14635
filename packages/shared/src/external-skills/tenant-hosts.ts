import { type Database, PerEpoch, type TenantId } from '@continuity/kernel/database';
import { invalidRequest, serviceError } from '@continuity/kernel/errors';
import { LRUCache } from 'lru-cache';
import { findTenantName } from '../tenants/index.ts';
import type { ConfiguredHosts, SkillHost, SkillRoot } from './hosts-file.ts';

/** Limit of the cached names of tenants. */
const maxNames = 10_000;

/** The hosts and folders of each tenant. A tenant has the folders that name it, and no others. */
export class TenantHosts {
  readonly #configured: ConfiguredHosts;
  readonly #database: Database;
  /** Names do not change in an epoch. */
  readonly #names: PerEpoch<LRUCache<TenantId, string>>;

  constructor(configured: ConfiguredHosts, database: Database) {
    this.#configured = configured;
    this.#database = database;
    this.#names = new PerEpoch(database.epochs, () => new LRUCache({ max: maxNames }));
  }

  /** Whether any host is configured. */
  get isConfigured(): boolean {
    return this.#configured.hosts.length > 0;
  }

  /** The host that this process runs on, or null. */
  get ownHostId(): string | null {
    return this.#configured.ownHostId;
  }

  /** Whether a host has a folder of the tenant. */
  async hasRoots(tenantId: TenantId): Promise<boolean> {
    return (await this.#hostsOf(tenantId)).length > 0;
  }

  /**
   * Decides the host of a request. Only hosts with folders of the tenant count. For `named` null, it is the host of this process if that
   * counts, otherwise the first one of the file. Throws 503 `external_skill_registry_unavailable` if there is none, and 422 if the named
   * host is not one of them.
   */
  async decideHost(tenantId: TenantId, named: string | null): Promise<string> {
    const hosts = await this.#hostsOf(tenantId);
    const [first] = hosts;
    if (first === undefined) throw serviceError('external_skill_registry_unavailable');
    const isHost = (hostId: string | null) => hosts.some(({ host_id }) => host_id === hostId);
    if (named === null) return isHost(this.ownHostId) ? (this.ownHostId ?? first.host_id) : first.host_id;
    if (isHost(named)) return named;
    throw invalidRequest([{ path: 'host_id', message: 'must be a host that has folders of the tenant' }]);
  }

  /** The tenant's folders on a host, in the order of the file. */
  async rootsOf(tenantId: TenantId, hostId: string): Promise<SkillRoot[]> {
    const hosts = await this.#hostsOf(tenantId);
    return hosts.find(({ host_id }) => host_id === hostId)?.roots ?? [];
  }

  /** The hosts that have folders of the tenant, with only these folders. */
  async #hostsOf(tenantId: TenantId): Promise<SkillHost[]> {
    if (!this.isConfigured) return [];
    const name = await this.#nameOf(tenantId);
    return this.#configured.hosts
      .map(({ host_id, roots }) => ({ host_id, roots: roots.filter(({ tenant }) => tenant === name) }))
      .filter(({ roots }) => roots.length > 0);
  }

  async #nameOf(tenantId: TenantId): Promise<string> {
    const names = this.#names.current;
    const known = names.get(tenantId);
    if (known !== undefined) return known;
    const name = await findTenantName(this.#database, tenantId);
    names.set(tenantId, name);
    return name;
  }
}
