import type { jobOperations } from '@continuity/contract/jobs';
import type { Database, Handlers } from '@continuity/shared/kernel';
import { type ReadResult, readJob } from './read.ts';

/** Dependencies of the operations on jobs. */
export interface JobDeps {
  database: Database;
  readResult: ReadResult;
}

export const jobHandlers: Handlers<typeof jobOperations, JobDeps> = {
  get_job: async ({ database, readResult }, { tenantId }, { params }) => ({
    body: await readJob(database.sql, tenantId, params.job_id, readResult),
  }),
};
