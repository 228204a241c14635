import type { Database, Epoch } from '@continuity/kernel/database';
import { fromDatabaseError, serviceError } from '@continuity/kernel/errors';
import { type Backoff, pause, RetryDelays, withTimeLimit } from '@continuity/kernel/process';
import type { ConfiguredToken } from '@continuity/shared/tenants';
import { type AssembledRuntime, assembleRuntime, type RuntimeOptions } from './assemble-runtime.ts';

/** Delays between attempts to reach the database. Short, because requests are 503 until one succeeds. */
const retryBackoff: Backoff = { firstMs: 500, longestMs: 1_000 };

/** Limit of the first attempt on one of several servers, in milliseconds: the process serves the others meanwhile. */
const firstAttemptMs = 3_000;

/** Limit of the wait of a request for the first attempt in a new epoch, in milliseconds. */
const attemptMs = 1_000;

/**
 * The runtime of this process on one database server: assembled after the start, and again in each epoch of the database; unavailable at
 * shutdown. So the gateway looks up everything that it holds of the database by its name again, after a restart, a failover or a restore.
 */
export class Runtime {
  readonly database: Database;
  readonly #options: RuntimeOptions;
  readonly #stop = new AbortController();
  #assembled: AssembledRuntime | undefined;
  /** The accepted tokens. */
  #tokens: readonly ConfiguredToken[] = [];
  /** Assemblies run one after the other. */
  #round = Promise.resolve();
  /** Resolves when the first attempt of the current epoch has ended; undefined from then on. */
  #attempt: PromiseWithResolvers<void> | undefined;
  #lastFailure: string | undefined;
  #isDraining = false;
  /** Whether an assembly waits for its turn. */
  #isDue = false;
  readonly #firstAssembly = Promise.withResolvers<void>();

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.database = options.database;
  }

  /** Resolves when the first assembly has succeeded, or at shutdown. */
  get firstAssembly(): Promise<void> {
    return this.#firstAssembly.promise;
  }

  /** Whether an assembly has succeeded. */
  get isAssembled(): boolean {
    return this.#assembled !== undefined;
  }

  /** Whether this process has started and new connections may come. */
  get isReady(): boolean {
    return this.#assembled !== undefined && !this.isLeaving;
  }

  /** As `AssembledRuntime.stale`, of the last assembly. */
  get stale(): AssembledRuntime['stale'] {
    return this.#assembled?.stale ?? new Map();
  }

  /** Whether this process has looked up everything in the current epoch of the database. */
  get isCurrent(): boolean {
    return this.#assembled?.epoch.isCurrent === true;
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Whether callers should go elsewhere: the process drains, or stops. */
  get isLeaving(): boolean {
    return this.#isDraining || this.isStopping;
  }

  /**
   * The latest runtime, to authenticate a request. Waits for the first attempt in a new epoch. If that fails, the runtime is of an epoch
   * that has ended: it still tells a wrong token, and `require` refuses the rest. Throws 503 `runtime_not_ready` before assembly and
   * during shutdown.
   */
  async latest(): Promise<AssembledRuntime> {
    if (this.#attempt !== undefined)
      await withTimeLimit(this.#attempt.promise, attemptMs).catch(() => undefined);
    return this.#requireAssembled();
  }

  /**
   * The runtime of the current epoch. Throws 503: `runtime_not_ready` as `latest`, and `database_unavailable` until it is assembled, or
   * if `epoch` has ended: the database may have lost the ids that were looked up in it.
   */
  require(epoch: Epoch | undefined): AssembledRuntime {
    const assembled = this.#requireAssembled();
    if (assembled.epoch.isCurrent && (epoch === undefined || epoch.isCurrent)) return assembled;
    throw serviceError('database_unavailable');
  }

  /** Assembles as soon as the database answers. Throws permanent failures, such as a schema of another release. */
  async assemble(tokens: readonly ConfiguredToken[]): Promise<void> {
    this.#tokens = tokens;
    await this.#assembleInTurn(() => this.#assembleOnceBack(isPermanent));
    this.#followEpochs();
  }

  /**
   * As `assemble`, but resolves after the first attempt: the process serves the other database servers meanwhile. Throws only permanent
   * failures of that attempt; later ones are logged.
   */
  async beginAssembly(tokens: readonly ConfiguredToken[]): Promise<void> {
    this.#tokens = tokens;
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    const endFirst = () => {
      isFirst = false;
      resolve();
    };
    const limit = setTimeout(endFirst, firstAttemptMs);
    const assembly = this.#assembleInTurn(() =>
      this.#assembleOnceBack((error) => {
        if (isFirst && isPermanent(error)) return true;
        endFirst();
        return false;
      }),
    );
    // An epoch can begin while no attempt has succeeded.
    this.#followEpochs();
    await Promise.race([assembly, tried]).finally(() => clearTimeout(limit));
  }

  /** Assembles again with other tokens. If that fails, the runtime keeps the old ones. */
  accept(tokens: readonly ConfiguredToken[]): Promise<void> {
    return this.#assembleInTurn(async () => {
      this.#assembled = await assembleRuntime(this.#options, tokens);
      this.#tokens = tokens;
    });
  }

  /** Assembles again, with `tokens` if given, as soon as the database answers. */
  assembleSoon(tokens: readonly ConfiguredToken[] = this.#tokens): void {
    this.#tokens = tokens;
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#assembleInTurn(async () => {
      this.#isDue = false;
      await this.#assembleOnceBack(() => false);
    });
  }

  /** Marks the process as not ready. It still serves. */
  beginDrain(): void {
    this.#isDraining = true;
  }

  /** Marks the process as not ready, and refuses requests. */
  beginShutdown(): void {
    this.#stop.abort();
    // Ends the wait of a start that is given up.
    this.#firstAssembly.resolve();
  }

  /** Call it after `beginShutdown`. */
  async close(): Promise<void> {
    await this.#round;
  }

  #requireAssembled(): AssembledRuntime {
    if (this.#assembled !== undefined && !this.isStopping) return this.#assembled;
    throw serviceError('runtime_not_ready');
  }

  #followEpochs(): void {
    if (this.isStopping) return;
    this.database.epochs.onBegin(() => this.#assembleAgain());
    if (this.#assembled !== undefined && !this.isCurrent) this.#assembleAgain();
  }

  #assembleAgain(): void {
    this.#attempt ??= Promise.withResolvers<void>();
    void this.#assembleInTurn(async () => {
      // A restored database may need a migration first, so no failure is permanent here.
      if (!this.isCurrent) await this.#assembleOnceBack(() => false);
      this.#endAttempt();
    });
  }

  #assembleInTurn(assemble: () => Promise<void>): Promise<void> {
    const turn = this.#round.then(assemble);
    this.#round = turn.catch(() => undefined);
    return turn;
  }

  async #assembleOnceBack(isFatal: (error: unknown) => boolean): Promise<void> {
    const delays = new RetryDelays(retryBackoff);
    while (!this.isStopping) {
      const { current } = this.database.epochs;
      try {
        this.#assembled = await assembleRuntime(this.#options, this.#tokens);
        this.#firstAssembly.resolve();
        this.#lastFailure = undefined;
        if (!this.isCurrent) continue;
        this.#endAttempt();
        return;
      } catch (error) {
        if (isFatal(error)) throw error;
        // Another epoch began meanwhile: the server answers.
        if (!current.isCurrent) continue;
        this.#endAttempt();
        this.#warn(error);
        await pause(delays.next(), this.#stop.signal);
      }
    }
  }

  #endAttempt(): void {
    this.#attempt?.resolve();
    this.#attempt = undefined;
  }

  /** Logs a failure once, not in each round that it lasts. */
  #warn(error: unknown): void {
    const failure = String(error);
    if (failure === this.#lastFailure) return;
    this.#lastFailure = failure;
    this.#options.logger.warn({ err: error }, 'waiting for the database');
  }
}

function isPermanent(error: unknown): boolean {
  return fromDatabaseError(error) === undefined;
}
