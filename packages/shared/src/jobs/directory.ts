import type { QueueName } from '@continuity/contract';
import { type Sql, statement } from '@continuity/shared/kernel';
import { aliveMs, directoryCacheMs, sqlInterval } from './times.ts';

const selectLive = statement(
  'jobs_live_queues',
  `SELECT DISTINCT unnest(queues) AS queue FROM workers WHERE seen_at > now() - ${sqlInterval(aliveMs)}`,
);

/** Which queues have a live worker: asked once a second at most, by all requests together. */
export class WorkerDirectory {
  readonly #sql: Sql;
  #live: ReadonlySet<QueueName> = new Set();
  #freshUntil = 0;
  #asking: Promise<ReadonlySet<QueueName>> | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    if (performance.now() < this.#freshUntil) return this.#live;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async #ask(): Promise<ReadonlySet<QueueName>> {
    const rows = await this.#sql.rows<{ queue: QueueName }>(selectLive, []);
    this.#live = new Set(rows.map(({ queue }) => queue));
    this.#freshUntil = performance.now() + directoryCacheMs;
    return this.#live;
  }
}
