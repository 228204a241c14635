import { setTimeout as delay } from 'node:timers/promises';
import {
  CursorCodec,
  column,
  type Database,
  deploymentStatement,
  fromDatabaseError,
  type Logger,
  migrationNames,
  type ServiceError,
  type Settings,
  serviceError,
} from '@continuity/shared/kernel';
import { defaultTenant, ensureTenant, loadTokenHashes, TokenRegister } from '@continuity/shared/tenants';
import type { OperationDeps } from './operation-deps.ts';

/** Interval between attempts to reach the database. */
const retryMs = 500;

/** Dependencies of requests, once the database has the schema of this build. */
export interface Assembled {
  deps: OperationDeps;
  /** Null if authentication is off. */
  tokens: TokenRegister | null;
  /** The tenant of requests if authentication is off. */
  defaultTenantId: number;
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
  #assembled: Assembled | undefined;

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
  require(): Assembled {
    if (this.#assembled !== undefined && !this.isStopping) return this.#assembled;
    throw notReady();
  }

  /** Assembles as soon as the database has the schema of this build. Throws permanent failures. */
  async assemble(): Promise<void> {
    const hashes = await loadTokenHashes(this.#options.settings);
    while (!this.isStopping) {
      try {
        this.#assembled = await this.#tryAssemble(hashes);
        return;
      } catch (error) {
        if (fromDatabaseError(error) === undefined && !(error instanceof SchemaNotReady)) throw error;
        this.#options.logger.warn({ err: error }, 'waiting for the database');
        await delay(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  /** Marks the process as not ready. */
  beginShutdown(): void {
    this.#stop.abort();
  }

  async #tryAssemble(hashes: { sha256: string; tenant: string }[]): Promise<Assembled> {
    const { database, assembleDeps } = this.#options;
    await requireSchema(database);
    const cursors = new CursorCodec(await readCursorKey(database));
    const defaultTenantId = await ensureTenant(database, defaultTenant);
    const known: { sha256: string; tenantId: number }[] = [];
    for (const { sha256, tenant } of hashes)
      known.push({ sha256, tenantId: await ensureTenant(database, tenant) });
    return {
      deps: assembleDeps(cursors),
      tokens: known.length === 0 ? null : new TokenRegister(known),
      defaultTenantId,
    };
  }
}

/** The error before assembly and during a stop. */
export function notReady(): ServiceError {
  return serviceError('runtime_not_ready');
}

/** The database lacks migrations of this build. */
class SchemaNotReady extends Error {}

const appliedMigrations = deploymentStatement(
  'applied_migrations',
  'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  { migration_name: column.varchar },
);

const undefinedTable = '42P01';

async function requireSchema(database: Database): Promise<void> {
  const rows = await database.sql.rows(appliedMigrations, []).catch((error: unknown) => {
    if ((error as { code?: string }).code === undefinedTable) return [];
    throw error;
  });
  const applied = new Set(rows.map((row) => row.migration_name));
  const missing = (await migrationNames()).filter((name) => !applied.has(name));
  if (missing.length > 0)
    throw new SchemaNotReady(`The database lacks the migrations ${missing.join(', ')}.`);
}

async function readCursorKey(database: Database): Promise<Buffer> {
  const { cursorKey } = await database.prisma.deployment.findFirstOrThrow();
  return Buffer.from(cursorKey);
}
