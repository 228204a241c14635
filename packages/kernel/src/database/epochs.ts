import type pg from 'pg';
import { readOnlyServer } from './no-connection.ts';
import { readOnlySql, ServiceClient } from './writer.ts';

/**
 * The time in which every connection of a process leads to the same run of the same database server. It ends at a restart, a failover
 * or a restore, because the server may then lack the last commits: ids that the process holds may be unknown to it. What was looked up
 * in an epoch is valid while `isCurrent`.
 */
export class Epoch {
  /** The epochs of the database that it belongs to. */
  readonly of: Epochs;
  #isCurrent = true;

  constructor(of: Epochs) {
    this.of = of;
  }

  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  end(): void {
    this.#isCurrent = false;
  }
}

/** The epochs of one database, as this process notices them. */
export class Epochs {
  #current = new Epoch(this);
  /** Identity of the database of the current epoch; undefined until a connection has told it. */
  #identity: string | undefined;
  #hasUnknownConnections = false;
  readonly #listeners: (() => void)[] = [];

  get current(): Epoch {
    return this.#current;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  /** Receives the identity of the database that a connection leads to. Another one than before begins an epoch. */
  observe(identity: string): void {
    if (identity === this.#identity) return;
    const isFirst = this.#identity === undefined;
    this.#identity = identity;
    // Connections through a pooler tell no identity, so what was looked up before the first one may be of another database.
    if (!isFirst || this.#hasUnknownConnections) this.begin();
  }

  /** Begins an epoch: the server may have lost its last commits. */
  begin(): void {
    this.#current.end();
    this.#current = new Epoch(this);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` each time that an epoch has begun. */
  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Says that connections of the process lead to databases whose identity it cannot read. */
  expectUnknownConnections(): void {
    this.#hasUnknownConnections = true;
  }
}

/**
 * A value that is made anew in each epoch, such as a cache by ids. Callers read `current` before they look up what they store in it, so
 * that a look-up of an ended epoch fills no later cache.
 */
export class PerEpoch<Value> {
  readonly #epochs: Epochs;
  readonly #make: () => Value;
  #epoch: Epoch;
  #value: Value;

  constructor(epochs: Epochs, make: () => Value) {
    this.#epochs = epochs;
    this.#make = make;
    this.#epoch = epochs.current;
    this.#value = make();
  }

  get current(): Value {
    if (!this.#epoch.isCurrent) {
      this.#epoch = this.#epochs.current;
      this.#value = this.#make();
    }
    return this.#value;
  }
}

/**
 * Reads whether the server refuses writes, and the identity of the database: the cluster, the run of the server, the database, and its
 * table of tenants, which a restore into the same database makes anew. Any role may read them. They say all that the timeline would: a
 * session of a primary stays on its timeline, and a promoted server has a start time of its own.
 */
const identitySql = `SELECT ${readOnlySql} AS is_read_only, concat_ws(' ',
  (SELECT system_identifier FROM pg_control_system()), extract(epoch FROM pg_postmaster_start_time()),
  (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('tenants')::oid) AS identity`;

/**
 * Reads the identity of the database that a connection leads to, after `sql` in the same round trip. Throws for a standby, or
 * another server that refuses writes: a session that began before the promotion would see the timeline change.
 */
export async function readIdentity(client: pg.ClientBase, sql = ''): Promise<string> {
  const results: unknown = await client.query(`${sql}${sql && ';'}${identitySql}`);
  const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<{
    is_read_only: boolean;
    identity: string;
  }>;
  const [row] = last.rows;
  if (row === undefined) throw new Error('PostgreSQL returned no identity.');
  if (row.is_read_only) {
    if (client instanceof ServiceClient) client.leaveServer();
    throw readOnlyServer();
  }
  return row.identity;
}
