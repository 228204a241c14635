import { isHostQueue, type QueueName } from '@continuity/contract';
import {
  column,
  type Database,
  deploymentStatement,
  PerEpoch,
  pick,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { type Repetition, repeat } from '@continuity/kernel/process';
import type { QueueAddress } from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ClaimedJob } from './job.ts';
import { aliveMs, heartbeatMs, isRecent, liveWorkersCacheMs } from './times.ts';

/** What a worker says of its generation model. */
export interface WorkerModels {
  /** What read its last Source; before the first one, what is configured. */
  memory_extractor: 'builtin' | 'model';
  /** The rule that the last answer of the model broke, without content; null if it was accepted, or minutes ago. */
  refusal: string | null;
}

interface HeartbeatOptions {
  sql: Sql;
  workerId: string;
  /** The host whose jobs this process runs; null without one. */
  hostId: string | null;
  /** The queues that this process consumes at the moment. */
  queues: () => QueueName[];
  /** What this process says of its models; null if it uses none. */
  models: () => WorkerModels | null;
  /** The jobs that it runs at the moment. */
  running: () => ClaimedJob[];
  /** Receives jobs that were cancelled, or requeued because this process missed too many heartbeats. */
  onLost: (jobs: ClaimedJob[]) => void;
  logger: Logger;
}

const upsert = deploymentStatement(
  'jobs_heartbeat',
  `INSERT INTO workers (worker_id, host_id, queues, models) VALUES ($1, $2, $3, $4::jsonb)
   ON CONFLICT (worker_id) DO UPDATE SET queues = excluded.queues, models = excluded.models, seen_at = now()`,
);

const remove = deploymentStatement('jobs_heartbeat_end', 'DELETE FROM workers WHERE worker_id = $1');

const selectHeld = statement(
  'jobs_held',
  `SELECT job_id, attempt FROM unnest($1::int[], $2::uuid[], $3::int[]) AS run (tenant_id, job_id, attempt)
   JOIN jobs USING (tenant_id, job_id, attempt) WHERE status = 'running' AND worker_id = $4`,
  { job_id: column.uuid, attempt: column.integer },
);

/** Records by database time that this process is live, and detects which of its jobs were requeued, cancelled or lost. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #rounds: Repetition | undefined;
  #beatenAt = Number.NEGATIVE_INFINITY;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Beats at once and then regularly. A failed beat is logged; the next one makes up for it. */
  async start(): Promise<void> {
    await this.beat().catch((error) => this.#warn(error));
    this.#rounds = repeat(
      heartbeatMs,
      () => this.beat(),
      (error) => this.#warn(error),
    );
  }

  async beat(): Promise<void> {
    const { sql, workerId, hostId, queues, models, running, onLost } = this.#options;
    const said = models();
    await sql.rows(upsert, [workerId, hostId, queues(), said && JSON.stringify(said)]);
    this.#beatenAt = performance.now();
    const jobs = running();
    if (jobs.length === 0) return;
    const held = await sql.rows(selectHeld, [
      jobs.map(({ tenantId }) => tenantId),
      jobs.map(({ jobId }) => jobId),
      jobs.map(({ attempt }) => attempt),
      workerId,
    ]);
    const isHeld = ({ jobId, attempt }: ClaimedJob) =>
      held.some((row) => row.job_id === jobId && row.attempt === attempt);
    onLost(jobs.filter((job) => !isHeld(job)));
  }

  isBeating(): boolean {
    return performance.now() - this.#beatenAt < aliveMs;
  }

  /** Stops beating and removes the row. */
  async stop(): Promise<void> {
    await this.#rounds?.stop();
    await this.#options.sql.rows(remove, [this.#options.workerId]).catch((error) => this.#warn(error));
  }

  #warn(error: unknown): void {
    this.#options.logger.warn({ err: error }, 'the heartbeat of this worker failed');
  }
}

const selectLive = deploymentStatement(
  'jobs_live_queues',
  `SELECT DISTINCT queues, host_id, models FROM workers WHERE ${isRecent('seen_at', aliveMs)}`,
  pick(tables.workers, 'queues', 'host_id', 'models'),
);

interface LiveWorkers {
  /** The hosts of the live workers of each queue that has one. */
  hosts: ReadonlyMap<QueueName, ReadonlySet<string | null>>;
  models: LiveModels;
}

/** What the live workers say of their generation model. */
export interface LiveModels {
  /** `model` if all workers that extract say so. Null if none has said anything. Workers that have died keep their word. */
  extractor: WorkerModels['memory_extractor'] | null;
  refusal: string | null;
}

interface Cached {
  live: LiveWorkers;
  /** By `performance.now`. */
  freshUntil: number;
  query: Promise<LiveWorkers> | undefined;
}

const noWorkers: LiveWorkers = { hosts: new Map(), models: { extractor: null, refusal: null } };

/** Cache of the queues that have a live worker. Concurrent requests share one query. */
export class LiveWorkersCache {
  readonly #database: Pick<Database, 'sql'>;
  readonly #cache: PerEpoch<Cached>;

  constructor(database: Pick<Database, 'sql' | 'epochs'>) {
    this.#database = database;
    this.#cache = new PerEpoch(database.epochs, () => ({ live: noWorkers, freshUntil: 0, query: undefined }));
  }

  /** The queues that have a live worker, of any host. */
  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    return new Set((await this.#read()).hosts.keys());
  }

  /** What the live workers say of their generation model. */
  async liveModels(): Promise<LiveModels> {
    return (await this.#read()).models;
  }

  /** Whether a live worker takes the jobs of a queue, and of its host where they name one. */
  async hasWorker({ queue, hostId }: QueueAddress): Promise<boolean> {
    const hosts = (await this.#read()).hosts.get(queue);
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
    const hosts = new Map<QueueName, Set<string | null>>();
    const extractors = new Set<WorkerModels['memory_extractor']>();
    let refusal: string | null = null;
    for (const row of await this.#database.sql.rows(selectLive, [])) {
      const queues = row.queues as QueueName[];
      for (const queue of queues) hosts.set(queue, (hosts.get(queue) ?? new Set()).add(row.host_id));
      const said = row.models as unknown as WorkerModels | null;
      if (said !== null && queues.includes('memory-flush')) extractors.add(said.memory_extractor);
      refusal ??= said?.refusal ?? null;
    }
    const extractor = extractors.has('builtin') ? 'builtin' : extractors.has('model') ? 'model' : null;
    const live = { hosts, models: { extractor: extractor ?? cached.live.models.extractor, refusal } };
    cached.live = live;
    cached.freshUntil = performance.now() + liveWorkersCacheMs;
    return live;
  }
}
