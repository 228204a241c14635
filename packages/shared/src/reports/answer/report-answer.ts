import { reportQueue } from '@continuity/contract';
import type { ReportLocale, reportOperations } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { ServiceError } from '@continuity/kernel/errors';
import { digestFromBytes } from '@continuity/kernel/json';
import type { Answer, Handlers } from '@continuity/shared/handlers';
import { acceptedAnswer, type JobGateway, type NewJob, newJob, type ReadResult } from '../../jobs/index.ts';
import type { ReportForm } from '../content/frame.ts';
import { reportWithin } from '../job/report-builder.ts';
import { pagePolicy } from '../render/page.ts';
import { loadRendering, type RenderingRef } from '../renderings/store.ts';
import { jobPayloadOf, jobPayloadOfQuery } from './request-rules.ts';

/**
 * Reads the result of a report job as `get_job` answers it: a HandoffReportResponse, and for a page its HTML in the same form. The
 * results of other jobs stay as they are.
 */
export function reportResults(database: Database): ReadResult {
  return async (tenantId, { queue, result }) => {
    if (queue !== reportQueue) return result;
    const report = await loadReport(database, tenantId, JSON.parse(result) as RenderingRef);
    return report && responseOf(report);
  };
}

function responseOf({ form, body, selectionDigest, reportDigest }: LoadedReport): string {
  if (form === 'json') return body;
  const digests = { selection_digest: selectionDigest, report_digest: reportDigest };
  if (form === 'html') return JSON.stringify({ format: form, html: body, ...digests });
  return JSON.stringify({ format: form, report: null, markdown: body, ...digests });
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

/** Loads the rendering that a job refers to; undefined if a purge has deleted it. */
export async function loadReport(
  { sql }: Database,
  tenantId: TenantId,
  { rendering_id }: RenderingRef,
): Promise<LoadedReport | undefined> {
  const row = await loadRendering(sql, tenantId, rendering_id);
  if (row === undefined) return undefined;
  const { form, locale, body, selection_digest, report_digest } = row;
  const digests = {
    selectionDigest: digestFromBytes(selection_digest),
    reportDigest: digestFromBytes(report_digest),
  };
  return { form, locale, body, ...digests };
}

const mediaTypes: Record<ReportForm, string> = {
  json: 'application/json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** File names hold no stored text and no id. */
const fileNames: Record<ReportForm, string> = {
  json: 'handoff-report.json',
  markdown: 'handoff-report.md',
  html: 'handoff-report.html',
};

const pageHeaders = {
  'Content-Security-Policy': pagePolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The HTTP answer of a report (spec 30 §4.1, §4.11.3). A downloaded JSON report stands alone, without its envelope. */
export function reportAnswer({ form, locale, body, ...digests }: LoadedReport, download: boolean): Answer {
  return {
    body: form === 'json' && download ? reportWithin(body) : body,
    headers: {
      'Content-Type': mediaTypes[form],
      'X-Service-Selection-Digest': digests.selectionDigest,
      'X-Service-Report-Digest': digests.reportDigest,
      ...(form !== 'json' && { 'Content-Language': locale }),
      ...(form === 'html' && pageHeaders),
      ...(download && { 'Content-Disposition': `attachment; filename="${fileNames[form]}"` }),
    },
  };
}

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

export const reportHandlers: Handlers<typeof reportOperations, ReportAnswerDeps> = {
  get_handoff_report: async (deps, caller, { body: { format, download, ...request } }) => {
    const payload = { ...jobPayloadOf(request), format };
    const job = newJob('get_handoff_report', { tenantId: caller.tenantId, scopeId: null, payload });
    if (caller.respondAsync) return acceptedAnswer(await deps.jobs.submitAsync(job));
    return reportAnswer(await waitForReport(deps, job, caller.signal), download);
  },

  view_handoff_report: async (deps, caller, { query }) => {
    const payload = jobPayloadOfQuery(query);
    const job = newJob('view_handoff_report', { tenantId: caller.tenantId, scopeId: null, payload });
    return reportAnswer(await waitForReport(deps, job, caller.signal), query.download ?? false);
  },
};
