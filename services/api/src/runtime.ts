import type { Database } from '@continuity/kernel/database';
import { fromDatabaseError, serviceError } from '@continuity/kernel/errors';
import { pause } from '@continuity/kernel/process';
import { type ConfiguredToken, loadTokens, TokenReloader } from '@continuity/shared/tenants';
import { type AssembledRuntime, assembleRuntime, type RuntimeOptions } from './assemble-runtime.ts';

/** Interval between attempts to reach the database. */
const retryMs = 500;

/** The runtime of this process: assembled after the start, unavailable again at shutdown. */
export class Runtime {
  readonly database: Database;
  readonly #options: RuntimeOptions;
  readonly #stop = new AbortController();
  #assembled: AssembledRuntime | undefined;
  #reloader: TokenReloader | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.database = options.database;
  }

  get isReady(): boolean {
    return this.#assembled !== undefined && !this.isStopping;
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Throws 503 `runtime_not_ready` before assembly and during shutdown. */
  require(): AssembledRuntime {
    if (this.#assembled !== undefined && !this.isStopping) return this.#assembled;
    throw serviceError('runtime_not_ready');
  }

  /** Assembles as soon as the database answers. Throws permanent failures, such as a schema of another release. */
  async assemble(): Promise<void> {
    const tokens = await loadTokens(this.#options.settings);
    while (!this.isStopping) {
      try {
        const assembled = await assembleRuntime(this.#options, tokens);
        this.#watchTokensFile(assembled, tokens);
        this.#assembled = assembled;
        return;
      } catch (error) {
        if (fromDatabaseError(error) === undefined) throw error;
        this.#options.logger.warn({ err: error }, 'waiting for the database');
        await pause(retryMs, this.#stop.signal);
      }
    }
  }

  /** Marks the process as not ready. */
  beginShutdown(): void {
    this.#stop.abort();
  }

  /** Call it after `beginShutdown`. */
  async close(): Promise<void> {
    await this.#reloader?.stop();
  }

  #watchTokensFile({ tokens: register }: AssembledRuntime, loaded: readonly ConfiguredToken[]): void {
    const { settings, logger, database } = this.#options;
    if (register === null || settings.AUTH_TOKENS_FILE === undefined || this.isStopping) return;
    this.#reloader = new TokenReloader({ settings, database, logger, register, loaded });
  }
}
