import type { IncomingMessage } from 'node:http';
import type { QueueName } from '@continuity/contract';
import type { Settings } from '@continuity/kernel/config';
import type { Epoch, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { runInEpoch } from '@continuity/kernel/fairness';
import { TimeLimitError, withTimeLimit } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { TenantHosts } from '@continuity/shared/external-skills';
import type { LiveModels } from '@continuity/shared/jobs';
import {
  type ConfiguredToken,
  defaultTenant,
  isAuthenticationOn,
  loadTokens,
  type MoveWatch,
  type TenantDirectory,
  TokenRegister,
  TokenReloader,
  tenantNamesOf,
} from '@continuity/shared/tenants';
import type { AssembledRuntime } from './assemble-runtime.ts';
import { sealedTokenOf } from './http/authenticate.ts';
import type { Check } from './models.ts';
import { MoveFollower } from './move-follower.ts';
import type { Runtime } from './runtime.ts';

/** Limit of a question to each server, in milliseconds. */
const questionMs = 2_000;

/** Readiness checks of the queue. */
export interface QueueProbes {
  checkStore(): Promise<Check>;
  /** Queues with a live worker. */
  liveQueues(): Promise<ReadonlySet<QueueName>>;
  /** What live workers say of their generation model. */
  liveModels(): Promise<LiveModels>;
}

/** What a gateway has on one database server. */
export interface GatewayServer {
  /** Null in a deployment with one server. */
  name: string | null;
  runtime: Runtime;
  queue: QueueProbes;
  skillHosts: TenantHosts;
  moves: MoveWatch;
}

interface ServersOptions {
  settings: Settings;
  logger: Logger;
  /** At least one. */
  all: readonly GatewayServer[];
  /** Undefined in a deployment with one server. */
  directory: TenantDirectory | undefined;
}

/**
 * The database servers of a gateway. Finds the one of each request: by the tenant of its token, or by asking all of them for the target of a
 * credential or a code. With one server, that server has every request, and nothing is looked up.
 */
export class Servers {
  readonly all: readonly GatewayServer[];
  readonly #settings: Settings;
  readonly #logger: Logger;
  readonly #directory: TenantDirectory | undefined;
  readonly #first: GatewayServer;
  readonly #byName: ReadonlyMap<string | null, GatewayServer>;
  /** Of a deployment with several servers: the tenant of each token. */
  #tokens: TokenRegister<ConfiguredToken> | undefined;
  #reloader: TokenReloader | undefined;
  #follower: MoveFollower | undefined;

  constructor({ settings, logger, all, directory }: ServersOptions) {
    const [first] = all;
    if (first === undefined) throw new Error('A gateway has a database server.');
    this.all = all;
    this.#settings = settings;
    this.#logger = logger;
    this.#directory = directory;
    this.#first = first;
    this.#byName = new Map(all.map((server) => [server.name, server]));
  }

  /** Whether this process has started on a server, and new connections may come. */
  get isReady(): boolean {
    return this.all.some(({ runtime }) => runtime.isReady);
  }

  /** Whether each tenant of this gateway has a server, which has its last state. Undefined in a deployment with one. */
  get hasPlacedAll(): boolean | undefined {
    if (this.#directory === undefined) return undefined;
    const hasStale = this.all.some((server) =>
      [...server.runtime.stale.keys()].some((tenant) => this.#isStale(server, tenant)),
    );
    return this.#directory.unplaced.length === 0 && !hasStale;
  }

  /** Whether a host of External Skills is configured. */
  get hasSkillHosts(): boolean {
    return this.#first.skillHosts.isConfigured;
  }

  get isLeaving(): boolean {
    return this.#first.runtime.isLeaving;
  }

  /** Assembles on all servers. Resolves once the gateway can serve. Throws permanent failures, such as a schema of another release. */
  async assemble(): Promise<void> {
    const tokens = await loadTokens(this.#settings);
    if (this.#directory === undefined) await this.#first.runtime.assemble(tokens);
    else await this.#assembleAll(this.#directory, tokens);
    if (this.#first.runtime.isStopping) return;
    const { AUTH_TOKENS_FILE } = this.#settings;
    if (AUTH_TOKENS_FILE === undefined) return;
    const accept = (changed: readonly ConfiguredToken[]) => this.#accept(changed);
    this.#reloader = new TokenReloader({
      settings: this.#settings,
      logger: this.#logger,
      loaded: tokens,
      accept,
    });
  }

  /**
   * The runtime of a request with a token of a tenant, to authenticate it. A token that nobody holds, and one of an operator, get that of
   * any server. Throws 503 as `Runtime.latest`, and for a tenant whose server is not known or has never answered.
   */
  async latest(request: IncomingMessage): Promise<AssembledRuntime> {
    if (this.#directory === undefined) return await this.#first.runtime.latest();
    if (!isAuthenticationOn(this.#settings)) {
      const assembled = await this.#latestOf(defaultTenant);
      await this.#requireHere(defaultTenant, assembled.defaultTenantId);
      return assembled;
    }
    const token = sealedTokenOf(request);
    const configured = token === undefined ? undefined : this.#tokens?.find(token);
    if (token === undefined || configured === undefined || 'role' in configured) {
      const any = this.all.find(({ runtime }) => runtime.isAssembled) ?? this.#first;
      const assembled = await any.runtime.latest();
      // A server that was down when a token was withdrawn may still have it.
      return configured === undefined ? { ...assembled, tokens: new TokenRegister([]) } : assembled;
    }
    const assembled = await this.#latestOf(configured.tenant);
    const holder = assembled.tokens?.find(token);
    await this.#requireHere(
      configured.tenant,
      holder !== undefined && 'tenantId' in holder ? holder.tenantId : undefined,
    );
    return assembled;
  }

  /** Throws 503 `runtime_not_ready` unless a server can have requests. */
  async requireReady(): Promise<void> {
    if (this.#directory === undefined) await this.#first.runtime.latest();
    else this.#requireAssembled();
  }

  /** As `Runtime.require`, on the server that the epoch belongs to. */
  require(epoch: Epoch | undefined): AssembledRuntime {
    return this.#serverOf(epoch).runtime.require(epoch);
  }

  /** The queues of the server that the epoch belongs to. */
  queueOf(epoch: Epoch | undefined): QueueProbes {
    return this.#serverOf(epoch).queue;
  }

  /**
   * Asks all servers at the same time for what is on one of them. Returns the first answer, or undefined if none of them has it. Throws
   * 503 if one that may have it does not answer.
   *
   * @param limitMs limit of the wait for a server; null if the question changes something
   */
  async find<T>(
    question: (assembled: AssembledRuntime) => Promise<T | undefined>,
    limitMs: number | null = questionMs,
  ): Promise<T | undefined> {
    const ask = async ({ runtime }: GatewayServer) => {
      const { epoch } = await runtime.latest();
      return await runInEpoch(epoch, () => question(runtime.require(epoch)));
    };
    if (this.#directory === undefined) return await ask(this.#first);
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const answers = this.all.map(async (server) => {
      const answer = ask(server);
      const found = await (limitMs === null ? answer : withTimeLimit(answer, limitMs));
      if (found !== undefined) resolve(found);
    });
    Promise.all(answers).then(
      () => resolve(undefined),
      // The others may still have it.
      async (error: unknown) => {
        await Promise.allSettled(answers);
        reject(error instanceof TimeLimitError ? serviceError('database_unavailable') : error);
      },
    );
    return await promise;
  }

  /** Marks the process as not ready. It still serves. */
  beginDrain(): void {
    for (const { runtime } of this.all) runtime.beginDrain();
  }

  /** Marks the process as not ready, and refuses requests. */
  beginShutdown(): void {
    for (const { runtime } of this.all) runtime.beginShutdown();
  }

  /** Call it after `beginShutdown`. */
  async close(): Promise<void> {
    await this.#reloader?.stop();
    await this.#follower?.stop();
    await Promise.all(this.all.map(({ runtime }) => runtime.close()));
  }

  async #assembleAll(directory: TenantDirectory, tokens: readonly ConfiguredToken[]): Promise<void> {
    await this.#useTokens(directory, tokens);
    await Promise.all(this.all.map(({ runtime }) => runtime.beginAssembly(tokens)));
    if (this.#first.runtime.isStopping) return;
    this.#follower = new MoveFollower(this.all, directory, this.#logger);
    await Promise.race(this.all.map(({ runtime }) => runtime.firstAssembly));
  }

  /** Throws 503 unless the tenant works on its server. */
  async #requireHere(tenant: string, tenantId: TenantId | undefined): Promise<void> {
    const server = this.#byName.get(this.#directory?.serverOf(tenant) ?? null);
    if (server === undefined || tenantId === undefined) {
      // A stale one is looked up again when its server is restored, or when it has moved.
      if (server !== undefined && !this.#isStale(server, tenant)) server.runtime.assembleSoon();
      throw serviceError('database_unavailable');
    }
    await server.moves.requireHere(tenantId);
  }

  /** Whether the server lacks the last state of a tenant that the directory has there. */
  #isStale({ name, runtime }: GatewayServer, tenant: string): boolean {
    const place = this.#directory?.placeOf(tenant);
    return place?.server === name && runtime.stale.get(tenant) === place?.moveVersion;
  }

  async #useTokens(directory: TenantDirectory, tokens: readonly ConfiguredToken[]): Promise<void> {
    this.#tokens = new TokenRegister(tokens.map((token) => [token.sha256, token]));
    await directory.use(isAuthenticationOn(this.#settings) ? tenantNamesOf(tokens) : [defaultTenant]);
  }

  async #accept(tokens: readonly ConfiguredToken[]): Promise<void> {
    if (this.#directory === undefined) {
      await this.#first.runtime.accept(tokens);
      return;
    }
    await this.#useTokens(this.#directory, tokens);
    // A server that does not answer gets them when it does.
    for (const { runtime } of this.all) runtime.assembleSoon(tokens);
  }

  async #latestOf(tenant: string): Promise<AssembledRuntime> {
    this.#requireAssembled();
    const server = this.#byName.get(this.#directory?.serverOf(tenant) ?? null);
    if (server?.runtime.isAssembled !== true) throw serviceError('database_unavailable');
    return await server.runtime.latest();
  }

  /** Throws 503 before the start of several servers has succeeded on one of them, and during shutdown. */
  #requireAssembled(): void {
    const isAssembled = this.all.some(({ runtime }) => runtime.isAssembled);
    if (!isAssembled || this.#first.runtime.isStopping) throw serviceError('runtime_not_ready');
  }

  #serverOf(epoch: Epoch | undefined): GatewayServer {
    if (this.#directory === undefined) return this.#first;
    const server = this.all.find(({ runtime }) => runtime.database.epochs === epoch?.of);
    if (server === undefined) throw new Error('The request belongs to no database server.');
    return server;
  }
}
