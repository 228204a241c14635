import type { jobOperations } from '@continuity/contract/jobs';
import type { Database } from '@continuity/kernel/database';
import { type CursorCodec, type Handlers, longAnswer } from '@continuity/shared/handlers';
import type { JobGateway } from './gateway.ts';
import { listQueues } from './list-queues.ts';
import { jobAnswer, listJobs, type ReadResult, readJob } from './read.ts';

/**
 * SQL: whether a caller has the id of an unfinished job and reads its result later (`Prefer: respond-async`, a retry). False for a job
 * whose callers wait for its end. Both arguments are SQL.
 */
export function isAsynchronous(tenantId: string, jobId: string): string {
  return `(SELECT delivered_at IS NOT NULL FROM jobs WHERE tenant_id = ${tenantId} AND job_id = ${jobId})`;
}

/** Dependencies of the operations on jobs. */
export interface JobDeps {
  database: Database;
  cursors: CursorCodec;
  jobs: JobGateway;
  readResult: ReadResult;
}

export const jobHandlers: Handlers<typeof jobOperations, JobDeps> = {
  list_queues: async ({ database, jobs }, { tenantId }) => ({
    body: await listQueues(database.sql, tenantId, await jobs.liveQueues()),
  }),

  list_jobs: async ({ database, cursors }, { tenantId }, { query }) =>
    longAnswer(await listJobs(database.sql, cursors, { tenantId, ...query })),

  get_job: async ({ database, readResult }, { tenantId }, { params }) =>
    jobAnswer(await readJob(database.sql, tenantId, params.job_id, readResult)),

  cancel_job: async ({ jobs, readResult }, { tenantId }, { params }) =>
    jobAnswer(await jobs.cancel(tenantId, params.job_id, readResult)),

  retry_job: async ({ jobs }, { tenantId }, { params }) => {
    const accepted = await jobs.retry(tenantId, params.job_id);
    return { body: accepted, headers: { Location: accepted.status_url } };
  },
};
