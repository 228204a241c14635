import { readFileSync } from 'node:fs';
import { createPostgresBackend, type JobsOptions, type Processor, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import pg from 'pg';
import { SettingsError } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { queryLimitMs, sessionOptions } from '../database/session.ts';
import { connectionTo } from '../database/writer.ts';
import { openRedis, type RedisTopology, redisConnection } from './redis.ts';
import type { QueueToken } from './token.ts';

/** The queue store: Redis if `redisUrl` is set, else PostgreSQL. */
export interface QueueStore {
  redisUrl: string | undefined;
  /** How the servers of that Redis are found. One server by default. */
  redis?: RedisTopology;
  /** PostgreSQL itself, not a pooler: BullMQ listens and configures its sessions. */
  databaseUrl: string;
  /** Prefix of the keys in Redis. In PostgreSQL the queues have their own schema. */
  prefix: string;
}

/** The queue store of a process. Throws a `SettingsError` if a certificate cannot be read. */
export function queueStoreOf(settings: Settings, databaseUrl: string): QueueStore {
  const { REDIS_SENTINELS, REDIS_SENTINEL_PASSWORD, REDIS_CLUSTER_NODES } = settings;
  const ca = readCertificate(settings, 'REDIS_TLS_CA_FILE');
  const cert = readCertificate(settings, 'REDIS_TLS_CERT_FILE');
  const key = readCertificate(settings, 'REDIS_TLS_KEY_FILE');
  return {
    redisUrl: settings.REDIS_URL,
    redis: {
      ...(REDIS_SENTINELS && { sentinels: REDIS_SENTINELS }),
      ...(REDIS_SENTINEL_PASSWORD && { sentinelPassword: REDIS_SENTINEL_PASSWORD }),
      ...(REDIS_CLUSTER_NODES && { clusterNodes: REDIS_CLUSTER_NODES }),
      certificates: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    },
    databaseUrl,
    // A script of BullMQ uses several keys, and a cluster runs it only if all are in one slot: that of the text in braces.
    prefix: REDIS_CLUSTER_NODES === undefined ? settings.QUEUE_PREFIX : `{${settings.QUEUE_PREFIX}}`,
  };
}

function readCertificate(
  settings: Settings,
  name: 'REDIS_TLS_CA_FILE' | 'REDIS_TLS_CERT_FILE' | 'REDIS_TLS_KEY_FILE',
): string | undefined {
  const path = settings[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** The part of a BullMQ queue that both stores support and this service uses. */
export interface BullQueue {
  add(name: string, data: QueueToken, opts: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: QueueToken; opts: JobsOptions }[]): Promise<unknown[]>;
  getJob(id: string): Promise<{ processedOn?: number | undefined } | undefined>;
  getJobState(id: string): Promise<string>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of a BullMQ worker that both stores support and this service uses. */
export interface BullWorker {
  waitUntilReady(): Promise<unknown>;
  /** With `true`, running jobs go on. */
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
  isPaused(): boolean;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface WorkerTuning {
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
export function producerRedis(url: string, topology: RedisTopology = {}): Redis | Cluster {
  return openFailFastRedis(url, topology, producerLimitMs);
}

/** A connection whose commands fail at once without a server, and after `limitMs` with one that hangs. Reconnects by itself. */
export function openFailFastRedis(
  url: string,
  topology: RedisTopology = {},
  limitMs: number,
): Redis | Cluster {
  return openRedis(url, topology, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: producerLimitMs,
    commandTimeout: limitMs,
    retryStrategy: reconnectMs,
  });
}

/** A queue for adding jobs. `redis` is the process's producer connection; without it the queue is in PostgreSQL. */
export function producerQueue(
  name: string,
  store: QueueStore,
  redis: Redis | Cluster | undefined,
): BullQueue {
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
    const connection = redisConnection(store.redisUrl, store.redis ?? {}, {
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      // Without it, a worker never stops while Redis is down.
      retryStrategy: (times: number) => (stop.aborted ? null : reconnectMs(times)),
    });
    return new Worker<unknown, void>(name, process, { connection, prefix: store.prefix, ...tuning });
  }
  const connection = postgresConnection(store);
  return new Worker(name, process, { connection, ...tuning }, createPostgresBackend);
}

/**
 * A connection of BullMQ to PostgreSQL. If it is lost, its next statement fails. BullMQ listens to the errors of idle connections alone, and one
 * without a listener ends the process: a process that starts slowly loses the connection on which BullMQ looks at its tables.
 */
class QueueClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

function postgresConnection({ databaseUrl }: QueueStore) {
  return {
    ...connectionTo(databaseUrl),
    application_name: 'continuity-queue',
    schema,
    migrate: true,
    max: 4,
    keepAlive: true,
    Client: QueueClient,
    // BullMQ adds its search path to the options, so they cost no compatibility with poolers.
    options: sessionOptions,
    query_timeout: queryLimitMs,
  };
}
