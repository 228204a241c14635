import type { QueueName } from '@continuity/contract';
import { createPostgresBackend, type JobsOptions, type Processor, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Settings } from '../config/index.ts';
import type { QueueToken } from './token.ts';

/** Where the queues are kept: in Redis where one is named, else in PostgreSQL. */
export interface QueueStore {
  redisUrl: string | undefined;
  databaseUrl: string;
  /** Prefix of the keys in Redis. In PostgreSQL the queues have a schema of their own. */
  prefix: string;
}

export function queueStoreOf(settings: Settings, databaseUrl: string): QueueStore {
  return { redisUrl: settings.REDIS_URL, databaseUrl, prefix: settings.QUEUE_PREFIX };
}

/** What this service uses of a BullMQ queue, alike on both stores. */
export interface BullQueue {
  addBulk(jobs: { name: string; data: QueueToken; opts: JobsOptions }[]): Promise<unknown>;
  getJobState(id: string): Promise<string>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What this service uses of a BullMQ worker, alike on both stores. */
export interface BullWorker {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface WorkerTuning {
  concurrency: number;
  runRetryDelay: number;
}

/** Pause before the next attempt to reach Redis. */
const reconnectMs = (times: number) => Math.min(times * 50, 1_000);

/** Schema of BullMQ's own tables. */
const schema = 'bullmq';

/** Answers or fails within this time; a request waits for it. */
export const producerLimitMs = 2_000;

/**
 * A connection for producers: it keeps no command for later and tries none again, because the caller is told and the job
 * row is found by the sweep. Reconnects by itself.
 */
export function producerRedis(url: string): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: producerLimitMs,
    commandTimeout: producerLimitMs,
    retryStrategy: reconnectMs,
  });
}

/** A queue to add to. `redis` is the process's producer connection; without one the queue is in PostgreSQL. */
export function producerQueue(name: QueueName, store: QueueStore, redis: Redis | undefined): BullQueue {
  if (redis !== undefined) {
    // Both skips keep BullMQ from waiting for a Redis that is down, or remembering for ever that it was.
    return new Queue(name, {
      connection: redis,
      prefix: store.prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      skipMetasUpdate: true,
    });
  }
  const connection = { ...postgresConnection(store), connectionTimeoutMillis: producerLimitMs };
  return new Queue(name, { connection }, createPostgresBackend);
}

/** A worker that starts at once and reconnects until `stop`. Its connections are its own. */
export function consumerWorker(
  name: QueueName,
  store: QueueStore,
  process: Processor<unknown, void>,
  tuning: WorkerTuning,
  stop: AbortSignal,
): BullWorker {
  if (store.redisUrl !== undefined) {
    const connection = {
      url: store.redisUrl,
      maxRetriesPerRequest: null,
      // Else a worker that stops while Redis is down would never end.
      retryStrategy: (times: number) => (stop.aborted ? null : reconnectMs(times)),
    };
    return new Worker<unknown, void>(name, process, { connection, prefix: store.prefix, ...tuning });
  }
  const connection = postgresConnection(store);
  return new Worker(name, process, { connection, ...tuning }, createPostgresBackend);
}

function postgresConnection({ databaseUrl }: QueueStore) {
  return {
    connectionString: databaseUrl,
    application_name: 'continuity-queue',
    schema,
    migrate: true,
    max: 4,
    keepAlive: true,
  };
}
