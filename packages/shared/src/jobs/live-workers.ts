import type { QueueName } from '@continuity/contract';
import { column, deploymentStatement, type Sql } from '@continuity/shared/kernel';
import { aliveMs, liveWorkersCacheMs, sqlInterval } from './times.ts';

const selectLive = deploymentStatement(
  'jobs_live_queues',
  `SELECT DISTINCT unnest(queues) AS queue FROM workers WHERE seen_at > now() - ${sqlInterval(aliveMs)}`,
  { queue: column.text.as<QueueName>() },
);

/** Cache of the queues that have a live worker. Concurrent requests share one query. */
export class LiveWorkersCache {
  readonly #sql: Sql;
  #live: ReadonlySet<QueueName> = new Set();
  #freshUntil = 0;
  #query: Promise<ReadonlySet<QueueName>> | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    if (performance.now() < this.#freshUntil) return this.#live;
    this.#query ??= this.#load().finally(() => {
      this.#query = undefined;
    });
    return await this.#query;
  }

  async #load(): Promise<ReadonlySet<QueueName>> {
    const rows = await this.#sql.rows(selectLive, []);
    this.#live = new Set(rows.map(({ queue }) => queue));
    this.#freshUntil = performance.now() + liveWorkersCacheMs;
    return this.#live;
  }
}
