import type { jobOperations } from '@continuity/contract/jobs';
import type { Database, Handlers } from '@continuity/shared/kernel';
import { readJob } from './read.ts';

export const jobHandlers: Handlers<typeof jobOperations, { database: Database }> = {
  get_job: async ({ database }, { tenantId }, { params }) => ({
    body: await readJob(database.sql, tenantId, params.job_id),
  }),
};
