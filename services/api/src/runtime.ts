import {
  CursorCodec,
  column,
  type Database,
  deploymentStatement,
  fromDatabaseError,
  type Logger,
  pause,
  pick,
  requireSchema,
  type ServiceError,
  type Settings,
  serviceError,
  type TenantId,
  tables,
} from '@continuity/shared/kernel';
import {
  type ConfiguredToken,
  defaultTenant,
  ensureTenant,
  isAuthenticationOn,
  loadTokens,
  TokenRegister,
  TokenReloader,
} from '@continuity/shared/tenants';
import type { OperationDeps } from './operation-deps.ts';

/** Interval between attempts to reach the database. */
const retryMs = 500;

/** Dependencies of requests, once the database has the schema of this build. */
export interface AssembledRuntime {
  deps: OperationDeps;
  /** Null if authentication is off. */
  tokens: TokenRegister | null;
  /** The tenant of requests if authentication is off. */
  defaultTenantId: TenantId;
}

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  database: Database;
  assembleDeps: (cursors: CursorCodec) => OperationDeps;
}

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
    throw notReady();
  }

  /** Assembles as soon as the database answers. Throws permanent failures, such as a schema of another release. */
  async assemble(): Promise<void> {
    const tokens = await loadTokens(this.#options.settings);
    while (!this.isStopping) {
      try {
        const assembled = await this.#tryAssemble(tokens);
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

  /** Logs a warning if a pooler gives sessions without the settings of the service. */
  async #checkSessions(): Promise<void> {
    const { database, logger } = this.#options;
    const session = await database.sql.first(sessionSettings, []);
    if (session?.plan_cache_mode === 'force_generic_plan') return;
    logger.warn(
      'the sessions of the pooler lack the settings of the service: migrate with DATABASE_DIRECT_URL, then let the pooler reconnect',
    );
  }

  async #tryAssemble(configured: readonly ConfiguredToken[]): Promise<AssembledRuntime> {
    const { settings, database, assembleDeps } = this.#options;
    await requireSchema(database);
    await this.#checkSessions();
    const cursors = new CursorCodec(await readCursorKey(database));
    const defaultTenantId = await ensureTenant(database, defaultTenant);
    const tokens = isAuthenticationOn(settings) ? new TokenRegister() : null;
    await tokens?.replace(database, configured);
    return { deps: assembleDeps(cursors), tokens, defaultTenantId };
  }
}

/** The error before assembly and during a stop. */
export function notReady(): ServiceError {
  return serviceError('runtime_not_ready');
}

const selectCursorKey = deploymentStatement(
  'deployment_cursor_key',
  'SELECT cursor_key FROM deployment',
  pick(tables.deployment, 'cursor_key'),
);

const sessionSettings = deploymentStatement(
  'session_settings',
  "SELECT current_setting('plan_cache_mode') AS plan_cache_mode",
  { plan_cache_mode: column.text },
);

async function readCursorKey(database: Database): Promise<Buffer> {
  const row = await database.sql.first(selectCursorKey, []);
  if (row === undefined) throw new Error('The table deployment is empty.');
  return row.cursor_key;
}
