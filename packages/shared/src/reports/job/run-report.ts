import type { PageJobPayload } from '@continuity/contract/reports';
import type { ClaimedJob, JobContext, JobHandler } from '../../jobs/index.ts';
import type { ReportForm } from '../content/frame.ts';
import { finishReport } from './finish-report.ts';
import { makeReport } from './make-report.ts';
import type { ReportDeps } from './report-deps.ts';

/** The handler of `get_handoff_report`. */
export function runGetReport(deps: ReportDeps): JobHandler<'get_handoff_report'> {
  return (job, { format, ...request }, context) => runReport(deps, job, { request, form: format }, context);
}

/** The handler of `view_handoff_report`. */
export function runViewReport(deps: ReportDeps): JobHandler<'view_handoff_report'> {
  return (job, request, context) => runReport(deps, job, { request, form: 'html' }, context);
}

async function runReport(
  { database, limits }: ReportDeps,
  job: ClaimedJob,
  { request, form }: { request: PageJobPayload; form: ReportForm },
  { signal }: JobContext,
): Promise<void> {
  const order = { tenantId: job.tenantId, request, form };
  // A purge makes a report stale, so it is made again. `signal` ends the run between two attempts.
  for (;;) {
    signal.throwIfAborted();
    const made = await database.snapshot((sql) => makeReport(sql, order, limits));
    if (await finishReport(database, job, order, made, limits)) return;
  }
}
