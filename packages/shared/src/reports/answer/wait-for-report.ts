import type { ReportLocale } from '@continuity/contract/reports';
import { type Database, ServiceError, type TenantId } from '@continuity/shared/kernel';
import type { JobGateway, NewJob } from '../../jobs/index.ts';
import type { ReportForm } from '../model/frame.ts';
import { type RenderingRef, toDigest } from '../renderings/rendering.ts';
import { loadRendering } from '../renderings/store.ts';

/** Dependencies of the operations on reports. */
export interface ReportAnswerDeps {
  database: Database;
  jobs: JobGateway;
}

/** A rendered report as it is stored. */
export interface LoadedReport {
  form: ReportForm;
  locale: ReportLocale;
  selectionDigest: string;
  reportDigest: string;
  /** HandoffReportResponse as JSON, the Markdown document, or the page. */
  body: string;
}

/**
 * Waits for the report of a job. A purge can delete the job or its rendering before they are read. Then the job is submitted
 * again, so that a request under way is answered (spec 30 §4.7.5). Throws what `JobGateway.submit` throws.
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

/** Loads the rendering that a job refers to; undefined if it is gone. */
export async function loadReport(
  { sql }: Database,
  tenantId: TenantId,
  { rendering_id }: RenderingRef,
): Promise<LoadedReport | undefined> {
  const row = await loadRendering(sql, tenantId, rendering_id);
  if (row === undefined) return undefined;
  const { form, locale, body, selection_digest, report_digest } = row;
  const digests = { selectionDigest: toDigest(selection_digest), reportDigest: toDigest(report_digest) };
  return { form, locale, body, ...digests };
}
