import type { QueueName } from '@continuity/contract';
import { column, deploymentStatement, type Sql, statement } from '@continuity/kernel/database';
import { type Repetition, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ClaimedJob } from './job.ts';
import { aliveMs, heartbeatMs } from './times.ts';

interface HeartbeatOptions {
  sql: Sql;
  workerId: string;
  /** The host whose jobs this process runs; null without one. */
  hostId: string | null;
  /** The queues that this process consumes at the moment. */
  queues: () => QueueName[];
  /** The jobs that it runs at the moment. */
  running: () => ClaimedJob[];
  /** Receives jobs that were cancelled, or requeued because this process missed too many heartbeats. */
  onLost: (jobs: ClaimedJob[]) => void;
  logger: Logger;
}

const upsert = deploymentStatement(
  'jobs_heartbeat',
  `INSERT INTO workers (worker_id, host_id, queues) VALUES ($1, $2, $3)
   ON CONFLICT (worker_id) DO UPDATE SET queues = excluded.queues, seen_at = now()`,
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
    const { sql, workerId, hostId, queues, running, onLost } = this.#options;
    await sql.rows(upsert, [workerId, hostId, queues()]);
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
