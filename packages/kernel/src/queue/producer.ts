import { type QueueName, queueNames } from '@continuity/contract';
import type { Cluster, Redis } from 'ioredis';
import { SettingsError } from '../config/load.ts';
import { StartRefusedError } from '../process/run.ts';
import { TimeLimitError, withTimeLimit } from '../process/time.ts';
import { type BullQueue, producerLimitMs, producerQueue, producerRedis, type QueueStore } from './backend.ts';
import { batched } from './batch.ts';
import { clusterRefusal, evictionRefusal, isClusterNode, readEviction } from './redis.ts';
import { entryId, type QueueAddress, type QueueEntry, storeNameOf } from './token.ts';

/** `misconfigured`: the store can lose jobs, or is a node of a cluster that is used as one server. */
export type QueueStoreState = 'ready' | 'unavailable' | 'timeout' | 'misconfigured';

/** Adds jobs to their queues. It fails fast, because a caller waits. */
export interface QueueProducer {
  /** Rejects within seconds unless the store accepts all entries. Concurrent calls share a round trip. */
  add(entries: QueueEntry[]): Promise<void>;
  /** Finds the entries that no consumer can receive any more. */
  lookUp(entries: QueueEntry[]): Promise<LookedUp>;
  /** State of the store, cached for one second; `unavailable` at once after a lost connection. */
  check(): Promise<QueueStoreState>;
  close(): Promise<void>;
}

interface LookedUp {
  /** Entries that are not in the store. */
  missing: QueueEntry[];
  /** Entries that a consumer has received and not finished. */
  taken: QueueEntry[];
}

interface ProducerOptions {
  store: QueueStore;
  /** Receives the error of a lost connection. The producer reconnects by itself. */
  onError: (error: unknown, queue?: QueueName) => void;
}

/** Time to live of a successful check, in milliseconds. */
const checkedForMs = 1_000;

/** Limit of the jobs in one bulk add. */
const addBatch = 200;

/** On PostgreSQL, BullMQ creates a temporary table for each bulk, which takes as long as 50 single entries. */
const leastPostgresBulk = 50;

const goneStates = new Set(['unknown', 'completed', 'failed']);

/**
 * Opens a producer for all queues. Resolves also while the store is down; `check` reports it. Throws a `StartRefusedError` for a
 * Redis that evicts keys, and a `SettingsError` for a node of a Redis Cluster without `REDIS_CLUSTER_NODES`.
 */
export async function openProducer({ store, onError }: ProducerOptions): Promise<QueueProducer> {
  const redis = store.redisUrl === undefined ? undefined : producerRedis(store.redisUrl, store.redis);
  redis?.on('error', (error) => onError(error));
  if (redis !== undefined) await firstAttempt(redis);
  const producer = new BullProducer(store, redis, onError);
  if ((await producer.check()) !== 'misconfigured') return producer;
  const { isClusterNode: isNode } = producer;
  await producer.close();
  throw isNode ? new SettingsError(clusterRefusal) : new StartRefusedError(evictionRefusal);
}

/** Waits until the connection is ready or has failed. */
async function firstAttempt(redis: Redis | Cluster): Promise<void> {
  const tried = new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('close', resolve);
  });
  await withTimeLimit(tried, producerLimitMs).catch(() => undefined);
}

/** Limit of one step of the health check, in milliseconds: below that of a command, whose error has no code. */
const probeLimitMs = producerLimitMs - 100;

/** Queue of the health check. All queues are in one store, so any of them will do. */
const probedQueue: QueueAddress = { queue: queueNames[0] as QueueName, hostId: null };

class BullProducer implements QueueProducer {
  readonly #store: QueueStore;
  readonly #redis: Redis | Cluster | undefined;
  readonly #onError: ProducerOptions['onError'];
  /** By the name in the store, as are the adders. */
  readonly #queues = new Map<string, BullQueue>();
  readonly #adders = new Map<string, (entry: QueueEntry) => Promise<unknown>>();
  #readyUntil = 0;
  #checking: Promise<QueueStoreState> | undefined;
  /** Of the open connection to Redis: whether the server evicts keys. */
  #evicts: boolean | undefined;
  /** Of the open connection to Redis: whether the server is a node of a cluster, although the settings name none. */
  #isClusterNode: boolean | undefined;

  constructor(store: QueueStore, redis: Redis | Cluster | undefined, onError: ProducerOptions['onError']) {
    this.#store = store;
    this.#redis = redis;
    this.#onError = onError;
    redis?.on('close', () => {
      this.#evicts = undefined;
      this.#isClusterNode = undefined;
    });
  }

  /** True if the open connection has reached a node of a cluster, although the settings name none. */
  get isClusterNode(): boolean {
    return this.#isClusterNode === true;
  }

  async add(entries: QueueEntry[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#adderOf(entry)(entry)));
  }

  #adderOf({ queue, hostId }: QueueAddress): (entry: QueueEntry) => Promise<unknown> {
    const name = storeNameOf({ queue, hostId });
    const known = this.#adders.get(name);
    if (known !== undefined) return known;
    const adder = batched(addBatch, (entries: QueueEntry[]) => this.#addBatch({ queue, hostId }, entries));
    this.#adders.set(name, adder);
    return adder;
  }

  async #addBatch(address: QueueAddress, entries: QueueEntry[]): Promise<unknown[]> {
    const jobs = entries.map((entry) => ({
      name: address.queue,
      data: { tenant_id: entry.tenantId, job_id: entry.jobId },
      opts: {
        jobId: entryId(entry),
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: true,
        // BullMQ delivers jobs without a priority first.
        ...(entry.background && { priority: 1 }),
      },
    }));
    const isBulk = this.#redis !== undefined || jobs.length >= leastPostgresBulk;
    return await this.#use(address, async (queue) =>
      isBulk
        ? await queue.addBulk(jobs)
        : await Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts))),
    );
  }

  async lookUp(entries: QueueEntry[]): Promise<LookedUp> {
    const states = await Promise.all(
      entries.map((entry) => this.#use(entry, (queue) => stateOf(queue, entryId(entry)))),
    );
    return {
      missing: entries.filter((_, index) => goneStates.has(states[index] ?? 'unknown')),
      taken: entries.filter((_, index) => states[index] === 'active'),
    };
  }

  async check(): Promise<QueueStoreState> {
    if (this.#redis !== undefined && this.#redis.status !== 'ready') return 'unavailable';
    if (performance.now() < this.#readyUntil) return 'ready';
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return await this.#checking;
  }

  async #ask(): Promise<QueueStoreState> {
    try {
      // A node refuses the write of the probe if another node has its key.
      if (this.#redis !== undefined && (await withTimeLimit(this.#isNode(this.#redis), probeLimitMs)))
        return 'misconfigured';
      await withTimeLimit(this.#probe(), probeLimitMs);
      if (this.#redis !== undefined && (await withTimeLimit(this.#doesEvict(this.#redis), probeLimitMs)))
        return 'misconfigured';
      this.#readyUntil = performance.now() + checkedForMs;
      return 'ready';
    } catch (error) {
      return error instanceof TimeLimitError ? 'timeout' : 'unavailable';
    }
  }

  /** A write: a store that is full or read-only answers reads. PostgreSQL has a check of its own. */
  async #probe(): Promise<void> {
    if (this.#redis === undefined) await this.#use(probedQueue, (queue) => queue.getJobState('probe'));
    else await this.#redis.set(`${this.#store.prefix}:probe`, '', 'PX', checkedForMs);
  }

  async #isNode(redis: Redis | Cluster): Promise<boolean> {
    this.#isClusterNode ??= await isClusterNode(redis);
    return this.#isClusterNode;
  }

  async #doesEvict(redis: Redis | Cluster): Promise<boolean> {
    this.#evicts ??= await readEviction(redis);
    return this.#evicts;
  }

  async #use<T>(address: QueueAddress, work: (queue: BullQueue) => Promise<T>): Promise<T> {
    const name = storeNameOf(address);
    const queue = this.#queues.get(name) ?? this.#open(name, address.queue);
    try {
      return await withTimeLimit(this.#whenReady(name, queue, work), producerLimitMs);
    } catch (error) {
      this.#readyUntil = 0;
      throw error;
    }
  }

  async #whenReady<T>(name: string, queue: BullQueue, work: (queue: BullQueue) => Promise<T>): Promise<T> {
    try {
      await queue.waitUntilReady();
    } catch (error) {
      // On PostgreSQL a queue that failed to get ready never recovers; the next use opens a new one.
      if (this.#queues.get(name) === queue) this.#queues.delete(name);
      await queue.close().catch(this.#onError);
      throw error;
    }
    return await work(queue);
  }

  #open(name: string, ofQueue: QueueName): BullQueue {
    const queue = producerQueue(name, this.#store, this.#redis);
    queue.on('error', (error) => this.#onError(error, ofQueue));
    this.#queues.set(name, queue);
    return queue;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(this.#onError)));
    this.#queues.clear();
    this.#redis?.disconnect();
  }
}

/** The state of an entry. BullMQ on Redis reads the whole queue for it, so only entries that a consumer has received are asked for. */
async function stateOf(queue: BullQueue, id: string): Promise<string> {
  const job = await queue.getJob(id);
  if (job === undefined) return 'unknown';
  return job.processedOn === undefined ? 'waiting' : await queue.getJobState(id);
}
