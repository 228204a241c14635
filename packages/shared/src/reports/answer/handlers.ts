import type { reportOperations } from '@continuity/contract/reports';
import type { Handlers } from '@continuity/shared/handlers';
import { acceptedAnswer, newJob } from '../../jobs/index.ts';
import { reportAnswer } from './report-answer.ts';
import { jobPayloadOf, jobPayloadOfQuery } from './request-rules.ts';
import { type ReportAnswerDeps, waitForReport } from './wait-for-report.ts';

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
