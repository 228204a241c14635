import type { ErrorDetails } from '@continuity/contract';
import type { PageJobPayload } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { ReportForm } from '../content/frame.ts';

/** Limits of reports (spec 30 §7). */
export interface ReportLimits {
  /** Limit of the body, in bytes. */
  outputBytes: number;
  /** Limit of the Scopes of a selection without a Project. */
  maxScopes: number;
  /** Limit of the time for all evidence checks of a report. 0: none is checked. */
  evidenceBudgetMs: number;
  /** Time for which an equal selection is answered with a stored rendering. 0: never. */
  renderingTtlMs: number;
  /** Limit of the reusable renderings of a tenant, in bytes. */
  renderingBytes: number;
}

/** Dependencies of the report jobs. */
export interface ReportDeps {
  database: Database;
  limits: ReportLimits;
}

/** The request of a report job. */
export interface ReportOrder {
  tenantId: TenantId;
  request: PageJobPayload;
  form: ReportForm;
}

type Details = ErrorDetails<'handoff_report_too_large'>;

/** The 413 of a report over one of its limits (spec 30 §4.6). */
export function reportTooLarge(details: Details): ServiceError {
  return serviceError('handoff_report_too_large', { message: messages[details.limit](details), details });
}

const messages: Record<Details['limit'], (details: Details) => string> = {
  workstreams: ({ selected_workstreams, limit_value }) =>
    `The Project has ${selected_workstreams} Workstreams, and a report at most ${limit_value}. Archive some, or select Scopes.`,
  scopes: ({ selected_workstreams, limit_value }) =>
    `The selection has ${selected_workstreams} Scopes, and a report at most ${limit_value}. Select fewer.`,
  activities: ({ selected_activities, limit_value }) =>
    `The report has ${selected_activities} activities, and may have ${limit_value}. Select a shorter period.`,
  output_bytes: ({ limit_value }) => `The report is larger than ${limit_value} bytes. Select less.`,
};
