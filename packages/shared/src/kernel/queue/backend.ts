import { createPostgresBackend, type JobsOptions, type Processor, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Settings } from '../config/index.ts';
import { queryLimitMs, sessionOptions } from '../database/session.ts';
import type { QueueToken } from './token.ts';

/** The queue store: Redis if `redisUrl` is set, else PostgreSQL. */
export interface QueueStore {
  redisUrl: string | undefined;
  databaseUrl: string;
  /** Prefix of the keys in Redis. In PostgreSQL the queues have their own schema. */
  prefix: string;
}

export function queueStoreOf(settings: Settings, databaseUrl: string): QueueStore {
  return { redisUrl: settings.REDIS_URL, databaseUrl, prefix: settings.QUEUE_PREFIX };
}

/** The part of a BullMQ queue that both stores support and this service uses. */
export interface BullQueue {
  addBulk(jobs: { name: string; data: QueueToken; opts: JobsOptions }[]): Promise<unknown>;
  getJobState(id: string): Promise<string>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of a BullMQ worker that both stores support and this service uses. */
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

/** Limit of one command of a producer, in milliseconds. A request waits for it. */
export const producerLimitMs = 2_000;

/**
 * A connection for producers. It neither queues nor retries commands: the caller gets an error, and the sweep finds the job's
 * row. Reconnects by itself.
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

/** A queue for adding jobs. `redis` is the process's producer connection; without it the queue is in PostgreSQL. */
export function producerQueue(name: string, store: QueueStore, redis: Redis | undefined): BullQueue {
  if (redis !== undefined) {
    // Without these, BullMQ waits for a Redis that is down, or never recovers from its failed start.
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

/** A worker that starts at once and reconnects until `stop`. It has its own connections. */
export function consumerWorker(
  name: string,
  store: QueueStore,
  process: Processor<unknown, void>,
  tuning: WorkerTuning,
  stop: AbortSignal,
): BullWorker {
  if (store.redisUrl !== undefined) {
    const connection = {
      url: store.redisUrl,
      maxRetriesPerRequest: null,
      // Without it, a worker never stops while Redis is down.
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
    // BullMQ adds its search path to the options, so they cost no compatibility with poolers.
    options: sessionOptions,
    query_timeout: queryLimitMs,
  };
}
