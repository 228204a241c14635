import { isHostQueue, type QueueName } from '@continuity/contract';
import { column, type Database, deploymentStatement, PerEpoch, tables } from '@continuity/kernel/database';
import type { QueueAddress } from '@continuity/kernel/queue';
import { aliveMs, isRecent, liveWorkersCacheMs } from './times.ts';

const selectLive = deploymentStatement(
  'jobs_live_queues',
  `SELECT DISTINCT unnest(queues) AS queue, host_id FROM workers WHERE ${isRecent('seen_at', aliveMs)}`,
  { queue: column.text.as<QueueName>(), host_id: tables.workers.host_id },
);

/** The hosts of the live workers of each queue that has one. */
type LiveWorkers = ReadonlyMap<QueueName, ReadonlySet<string | null>>;

interface Cached {
  live: LiveWorkers;
  /** By `performance.now`. */
  freshUntil: number;
  query: Promise<LiveWorkers> | undefined;
}

/** Cache of the queues that have a live worker. Concurrent requests share one query. */
export class LiveWorkersCache {
  readonly #database: Pick<Database, 'sql'>;
  readonly #cache: PerEpoch<Cached>;

  constructor(database: Pick<Database, 'sql' | 'epochs'>) {
    this.#database = database;
    this.#cache = new PerEpoch(database.epochs, () => ({ live: new Map(), freshUntil: 0, query: undefined }));
  }

  /** The queues that have a live worker, of any host. */
  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    return new Set((await this.#read()).keys());
  }

  /** Whether a live worker takes the jobs of a queue, and of its host where they name one. */
  async hasWorker({ queue, hostId }: QueueAddress): Promise<boolean> {
    const hosts = (await this.#read()).get(queue);
    return hosts !== undefined && (!isHostQueue(queue) || hosts.has(hostId));
  }

  async #read(): Promise<LiveWorkers> {
    const cached = this.#cache.current;
    if (performance.now() < cached.freshUntil) return cached.live;
    cached.query ??= this.#load(cached).finally(() => {
      cached.query = undefined;
    });
    return await cached.query;
  }

  async #load(cached: Cached): Promise<LiveWorkers> {
    const live = new Map<QueueName, Set<string | null>>();
    for (const { queue, host_id } of await this.#database.sql.rows(selectLive, [])) {
      live.set(queue, (live.get(queue) ?? new Set()).add(host_id));
    }
    cached.live = live;
    cached.freshUntil = performance.now() + liveWorkersCacheMs;
    return live;
  }
}
