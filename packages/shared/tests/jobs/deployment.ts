import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueueName } from '@continuity/contract';
import { type Database, openDatabase, statement, type TenantId } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import type { QueueStore } from '@continuity/kernel/queue';
import { createLogger, type JobEvent } from '@continuity/kernel/telemetry';
import {
  type ClaimedJob,
  commitFinishedJob,
  type JobGateway,
  type NewJob,
  openJobGateway,
  type RunJob,
  type RunningWorker,
  startWorker,
} from '@continuity/shared/jobs';
import {
  createDatabase,
  type QueueBackend,
  type RedisServer,
  startRedis,
  testBackend,
} from '@continuity/testing';

/** Gateways and workers over stores of their own, as separate processes would be: each with its own connections. */
export interface Deployment {
  /** The test's own way to the database. */
  database: Database;
  store: QueueStore;
  /** Undefined where the queues are in PostgreSQL. */
  redis: RedisServer | undefined;
  tenants: [TenantId, TenantId];
  events: JobEvent[];
  /** `adapt` changes how the gateway uses its database, `listensAt` where it listens for ended jobs. */
  gateway(options?: {
    waitMs?: number;
    adapt?: (database: Database) => Database;
    listensAt?: string;
  }): Promise<JobGateway>;
  worker(
    handler?: RunJob,
    options?: { graceMs?: number; queues?: QueueName[]; concurrency?: number },
  ): Promise<RunningWorker>;
  /** A job of the first tenant. */
  job(change?: Partial<NewJob>): NewJob;
  /** Rows of the test's table of effects. */
  effects(): Promise<{ job_id: string; attempt: number }[]>;
  jobRows(): Promise<Record<string, unknown>[]>;
  /** Connections to PostgreSQL besides the test's own ones. */
  connections(): Promise<number>;
  /** Stops the gateways and workers. */
  closeProcesses(): Promise<void>;
  close(): Promise<void>;
}

export const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');

const addEffect = statement('test_add_effect', 'INSERT INTO effects VALUES ($1, $2)');

/** Ends the job with what it was asked, which run it was, and a row beside it that must be there exactly once. */
export function echo(database: Database): RunJob {
  return (job) => endWithEffect(database, job, { echo: job.request, attempt: job.attempt });
}

export async function endWithEffect(database: Database, job: ClaimedJob, result: JsonValue): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.rows(addEffect, [job.jobId, job.attempt]);
    await commitFinishedJob(sql, job, result);
  });
}

/**
 * On a database of its own, or on the migrated one of `databaseUrl`, which is then left behind. By default, the queue is in the store
 * of this test run.
 */
export async function openDeployment(
  backend: QueueBackend = testBackend(),
  databaseUrl?: string,
): Promise<Deployment> {
  const created = databaseUrl === undefined ? await createDatabase() : undefined;
  const url = databaseUrl ?? created?.url ?? '';
  const redis = backend === 'redis' ? await startRedis({ persistent: false }) : undefined;
  const store = { redisUrl: redis?.url, databaseUrl: url, prefix: 'test' };
  const open = () => openDatabase({ url, size: 10, name: 'test', onIdleError: () => {} });
  const database = open();
  await database.pool.query('CREATE TABLE effects (job_id uuid, attempt int)');
  const made = await database.pool.query<{ tenant_id: TenantId }>(
    "INSERT INTO tenants (name) VALUES ('one'), ('two') RETURNING tenant_id",
  );
  const [one, two] = made.rows.map((row) => row.tenant_id);
  if (one === undefined || two === undefined) throw new Error('Two tenants were expected.');
  const tenants: [TenantId, TenantId] = [one, two];
  const closers: (() => Promise<void>)[] = [];
  const events: JobEvent[] = [];
  const closeProcesses = async () => {
    for (const close of closers.splice(0)) await close();
  };

  return {
    database,
    store,
    redis,
    tenants,
    events,
    async gateway({ waitMs = 90_000, adapt = (own: Database) => own, listensAt = url } = {}) {
      const gatewayDatabase = open();
      const options = { database: adapt(gatewayDatabase), databaseUrl: listensAt, store, waitMs, logger };
      const gateway = await openJobGateway(options);
      closers.push(async () => {
        await gateway.close();
        await gatewayDatabase.close();
      });
      return gateway;
    },
    async worker(handler, { graceMs = 5_000, queues, concurrency = 8 } = {}) {
      const workerDatabase = open();
      // A handler of a test uses the test's own database too, whose pool refuses work in an epoch of the worker's.
      const outsideEpoch = AsyncLocalStorage.snapshot();
      const worker = await startWorker({
        database: workerDatabase,
        store,
        runJob: handler ? (job, context) => outsideEpoch(handler, job, context) : echo(workerDatabase),
        ...(queues && { queues }),
        concurrency,
        graceMs,
        failedRetentionDays: 14,
        logger,
        onJobEvent: (event) => events.push(event),
      });
      closers.push(async () => {
        await worker.stop();
        await workerDatabase.close();
      });
      return worker;
    },
    job: (change = {}) => ({
      tenantId: tenants[0],
      queue: 'memory-flush',
      hostId: null,
      operation: 'flush_memory',
      scopeId: 'scope',
      group: 'flush_memory:scope',
      request: { scope_id: 'scope' },
      workKey: null,
      coalesces: 'abandoned',
      ...change,
    }),
    effects: async () => (await database.pool.query('SELECT * FROM effects ORDER BY attempt')).rows,
    jobRows: async () => (await database.pool.query('SELECT * FROM jobs ORDER BY job_id')).rows,
    connections: async () => ((await created?.connections()) ?? 0) - database.pool.totalCount,
    closeProcesses,
    async close() {
      await closeProcesses();
      await database.close();
      await redis?.stop();
      await created?.drop();
    },
  };
}

/** Something to wait for, and to let go. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** A database that calls `run` for each statement by its name, which runs it with `ask`. */
export function adaptStatements(
  database: Database,
  run: <Row>(name: string, ask: () => Promise<Row[]>) => Promise<Row[]>,
): Database {
  const { sql } = database;
  const rows: Database['sql']['rows'] = (asked, values) => run(asked.name, () => sql.rows(asked, values));
  return Object.assign(Object.create(database), { sql: { ...sql, rows } });
}

/** Makes a worker look as if nothing had been heard of it for a minute; its next heartbeat says otherwise. */
export async function silence(database: Database, workerId: string): Promise<void> {
  await database.pool.query("UPDATE workers SET seen_at = now() - interval '1 minute' WHERE worker_id = $1", [
    workerId,
  ]);
}

/** Begins a transaction that may wait for longer than those of the service: a machine that pauses does not end it. */
export const beginLong = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0';

/** How many statements on this database wait for a lock right now. */
export async function lockWaits(database: Database): Promise<number> {
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return Number(rows[0]?.waits);
}
