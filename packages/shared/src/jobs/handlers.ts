import type { jobOperations } from '@continuity/contract/jobs';
import type { Database } from '@continuity/kernel/database';
import { type CursorCodec, type Handlers, longAnswer } from '@continuity/shared/handlers';
import type { JobGateway } from './gateway.ts';
import { listJobs } from './list.ts';
import { jobAnswer, type ReadResult, readJob } from './read.ts';

/** Dependencies of the operations on jobs. */
export interface JobDeps {
  database: Database;
  cursors: CursorCodec;
  jobs: JobGateway;
  readResult: ReadResult;
}

export const jobHandlers: Handlers<typeof jobOperations, JobDeps> = {
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
