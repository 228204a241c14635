import { newId } from '@continuity/kernel/text';
import pg from 'pg';

/** The pool size of a process of the service. */
const poolSize = 10;

/**
 * Inserts, claims and completes job rows with the fewest statements. Groups, result delivery and fences are left out, because
 * they belong to the cost of the service.
 */
export class JobRows {
  readonly #pool: pg.Pool;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  }

  async insert(tenantId: number, group: string): Promise<string> {
    const jobId = newId();
    await this.#pool.query({
      name: 'insert',
      text: `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, enqueues, enqueued_at)
             VALUES ($1, $2, 'bullmq-alone', 'flush_memory', $3, $3, $4, 1, now())`,
      values: [tenantId, jobId, group, JSON.stringify({ scope_id: group })],
    });
    return jobId;
  }

  async take(tenantId: number, jobId: string): Promise<void> {
    await this.#pool.query({
      name: 'take',
      text: `UPDATE jobs SET status = 'running', attempt = attempt + 1, started_at = now()
             WHERE tenant_id = $1 AND job_id = $2`,
      values: [tenantId, jobId],
    });
  }

  async end(tenantId: number, jobId: string, result: object): Promise<void> {
    await this.#pool.query({
      name: 'end',
      text: `UPDATE jobs SET status = 'succeeded', result = $3, finished_at = now()
             WHERE tenant_id = $1 AND job_id = $2`,
      values: [tenantId, jobId, JSON.stringify(result)],
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
