import {
  type Database,
  deploymentStatement,
  pick,
  statesElsewhere,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError, tenantIsMoving } from '@continuity/kernel/errors';
import { runInEpoch } from '@continuity/kernel/fairness';
import { withTimeLimit } from '@continuity/kernel/process';

/** Interval at which a gateway reads the moves of a server, in milliseconds. */
export const watchMovesMs = 500;

/**
 * Age of the last reading up to which a gateway trusts it, in milliseconds. A tenant that has left a server works on the other one after
 * this time, and a margin for clocks: see `leftMs`.
 */
const trustMs = 1_500;

/**
 * How long a tenant has left its server before it works on the other one, in milliseconds: every gateway that still trusts an older reading
 * notices meanwhile.
 */
export const leftMs = 2_000;

/** Limit of a reading, in milliseconds. */
const readLimitMs = 2_000;

/**
 * A tenant whose rows were deleted a week ago has nothing to read here, and every gateway has followed it: the reading leaves it out, so that
 * it does not grow with all that has ever moved.
 */
const selectElsewhere = deploymentStatement(
  'moves_elsewhere',
  `SELECT tenant_id, name FROM tenant_moves
   WHERE state IN ${statesElsewhere} AND (deleted_at IS NULL OR deleted_at > now() - interval '7 days')`,
  pick(tables.tenant_moves, 'tenant_id', 'name'),
);

/**
 * Which tenants do not work on a database server: their rows are there because they are moving there, or have moved away. Writes of such a
 * tenant are refused by the database. This class refuses its reads, so that a gateway that has missed a move answers nothing old.
 */
export class MoveWatch {
  readonly #database: Database;
  #elsewhere: ReadonlyMap<TenantId, string> = new Map();
  /** When the last reading was asked for. */
  #readAt: Clocks | undefined;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Names of the tenants that do not work here, as of the last reading. */
  get names(): ReadonlySet<string> {
    return new Set(this.#elsewhere.values());
  }

  /** Reads the moves again. Concurrent calls share a reading. Rejects if the server does not answer in time. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /**
   * Resolves if the tenant works here, at the time of this call or later. Throws 503 `database_unavailable` if it does not, or if the
   * server does not answer.
   */
  async requireHere(tenantId: TenantId): Promise<void> {
    if (ageOf(this.#readAt) > trustMs || this.#elsewhere.has(tenantId)) {
      // A shared reading may have been asked for long ago, and say nothing new, or fail at once.
      await this.#reading?.catch(() => undefined);
      if (ageOf(this.#readAt) > trustMs || this.#elsewhere.has(tenantId)) await this.refresh().catch(refuse);
    }
    if (this.#elsewhere.has(tenantId)) throw tenantIsMoving();
  }

  async #read(): Promise<void> {
    const readAt = clocks();
    const { sql, epochs } = this.#database;
    const read = runInEpoch(epochs.current, () => sql.rows(selectElsewhere, []));
    const rows = await withTimeLimit(read, readLimitMs);
    this.#elsewhere = new Map(rows.map((row) => [row.tenant_id, row.name]));
    this.#readAt = readAt;
  }
}

/** Two clocks: the first one stops while a machine is suspended, the second one may be set. */
interface Clocks {
  monotonic: number;
  wall: number;
}

function clocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Time since a reading of the clocks in milliseconds, by the one that has gone further. */
function ageOf(then: Clocks | undefined): number {
  if (then === undefined) return Number.POSITIVE_INFINITY;
  const now = clocks();
  return Math.max(now.monotonic - then.monotonic, now.wall - then.wall);
}

function refuse(cause: unknown): never {
  throw serviceError('database_unavailable', { cause });
}
