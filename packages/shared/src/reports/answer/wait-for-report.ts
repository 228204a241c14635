import type { Database } from '@continuity/kernel/database';
import { ServiceError } from '@continuity/kernel/errors';
import type { JobGateway, NewJob } from '../../jobs/index.ts';
import type { RenderingRef } from '../renderings/rendering.ts';
import { type LoadedReport, loadReport } from './load-report.ts';

/** Dependencies of the operations on reports. */
export interface ReportAnswerDeps {
  database: Database;
  jobs: JobGateway;
}

/**
 * Waits for the report of a job. Submits the job again if a purge has deleted it or its rendering before they are read, so that the
 * request still gets its report (spec 30 §4.7.5). Throws what `JobGateway.submit` throws.
 */
export async function waitForReport(
  { database, jobs }: ReportAnswerDeps,
  job: NewJob,
  signal: AbortSignal,
): Promise<LoadedReport> {
  for (;;) {
    signal.throwIfAborted();
    const result = await submit(jobs, job, signal);
    const report = result && (await loadReport(database, job.tenantId, result));
    if (report !== undefined) return report;
  }
}

/** The result of the job; undefined if a purge has deleted the job. */
async function submit(jobs: JobGateway, job: NewJob, signal: AbortSignal): Promise<RenderingRef | undefined> {
  try {
    return (await jobs.submit(job, signal)) as unknown as RenderingRef;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'job_not_found') return undefined;
    throw error;
  }
}
