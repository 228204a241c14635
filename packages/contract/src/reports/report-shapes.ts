import { z } from 'zod';
import { disposition, handoffContent, handoffEvidenceCheck } from '../handoff/shapes.ts';
import {
  artifactAddress,
  artifactRef,
  digest,
  int,
  scopeId,
  scopeSelection,
  str,
  time,
} from '../notation/shapes.ts';
import { requestTime, timeZone } from '../notation/times.ts';
import { scopeDescriptor } from '../scopes/shapes.ts';
import { workContinuity } from '../work/continuity.ts';
import {
  catalogId,
  projectDescriptor,
  reportActivity,
  reportLocale,
  workstreamDescriptor,
} from './catalog-shapes.ts';

export const reportPeriod = z
  .strictObject({
    start: requestTime,
    end: requestTime,
    timezone: timeZone.nullable().default(null),
    compare_to_previous_period: z.boolean().default(false),
  })
  .meta({ id: 'ReportPeriod', description: 'From `start` up to, but not including, `end`.' });

/** The fields of a report request that select what the report holds. */
const selectionFields = {
  selection: scopeSelection.nullable().default(null),
  project_id: catalogId.nullable().default(null),
  locale: reportLocale
    .nullable()
    .default(null)
    .meta({ description: 'Language of the text; null: that of the project.' }),
  include_evidence_checks: z.boolean().default(true),
  include_archived: z.boolean().default(false),
  period: reportPeriod.nullable().default(null),
};

const reportFormat = z.enum(['json', 'markdown']);

export const reportRequest = z.strictObject({
  ...selectionFields,
  format: reportFormat.default('json'),
  download: z.boolean().default(false),
});

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The parameters of `view_handoff_report`: the fields of a report request in another spelling. */
export const reportQuery = z.object({
  project_id: catalogId.optional(),
  scope_id: scopeId.optional().meta({ description: 'Selects this one Scope.' }),
  root_scope_id: scopeId.optional().meta({ description: 'Selects this Scope and its descendants.' }),
  locale: reportLocale.optional(),
  include_archived: flag.optional(),
  include_evidence_checks: flag.optional(),
  download: flag.optional().meta({ description: '`true` makes a browser save the page.' }),
  period_start: requestTime.optional(),
  period_end: requestTime.optional(),
  timezone: timeZone.optional(),
  compare_to_previous_period: flag.optional(),
});

/** Fields of the payload of a report job, all filled in. */
const jobFields = {
  ...selectionFields,
  period: z
    .object({
      start: time,
      end: time,
      timezone: z.string().nullable(),
      compare_to_previous_period: z.boolean(),
    })
    .nullable(),
};

/** Payloads of the report jobs. Whether an answer is downloaded changes nothing in it. */
export const reportJobPayload = z.object({ ...jobFields, format: reportFormat });
export const pageJobPayload = z.object(jobFields);

export type ReportRequest = z.output<typeof reportRequest>;
export type ReportQuery = z.output<typeof reportQuery>;
export type PageJobPayload = z.output<typeof pageJobPayload>;

/** Limits of a report (spec 30 §4.2, §4.6). */
export const maxReportWorkstreams = 100;
export const maxReportActivities = 5_000;
export const maxReportRevisions = 20;

/** Length of an excerpt in code points. */
export const maxExcerpt = 240;

const count = int(0);
const reportStatus = z.enum(['continuable', 'blocked', 'complete', 'no_handoff']);
const excerpt = str(1, maxExcerpt);

export const reportSelectionEntry = z
  .strictObject({
    scope_id: scopeId,
    scope_version: int(1),
    workstream_revision: int(1).nullable(),
    source_position: count,
    status: z.enum(['selected', 'no_handoff']),
    handoff_ref: artifactRef.nullable(),
  })
  .meta({ id: 'ReportSelectionEntry' });

export const handoffRevisionSummary = z
  .strictObject({
    reference: artifactRef,
    objective_excerpt: excerpt,
    disposition,
    next_action_excerpt: excerpt.nullable(),
    state_count: int(1, 64),
    omission_count: int(0, 64),
    committed_at: time,
  })
  .meta({ id: 'HandoffRevisionSummary' });

export const scopeReport = z
  .strictObject({
    scope: scopeDescriptor,
    workstream: workstreamDescriptor.nullable(),
    status: reportStatus,
    handoff: artifactAddress.nullable(),
    content: handoffContent.nullable(),
    content_digest: digest.nullable(),
    committed_at: time.nullable(),
    handoff_revision_count: count,
    handoff_history_truncated: z.boolean(),
    handoff_history: z.array(handoffRevisionSummary).max(maxReportRevisions),
    evidence_checks: z.union([z.array(handoffEvidenceCheck).min(1).max(65), z.literal('not_checked')]),
    evidence_unavailable: z.boolean(),
    reporting_status: z.enum(['reported', 'reported_with_omissions', 'evidence_unavailable', 'no_handoff']),
    continuity: workContinuity,
    activities: z.array(reportActivity),
    observed_activity_count: count,
    activity_status: z.enum([
      'no_observed_activity',
      'activity_before_handoff',
      'activity_after_handoff',
      'activity_without_handoff',
      'current_only',
      'unknown',
    ]),
    handoff_activity_relation: z
      .enum(['activity_after_handoff', 'no_observed_activity_after_handoff', 'unknown'])
      .nullable(),
  })
  .meta({ id: 'ScopeReport' });

export const reportSummary = z
  .strictObject({
    continuable_count: count,
    blocked_count: count,
    complete_count: count,
    no_handoff_count: count,
  })
  .meta({ id: 'ReportSummary' });

export const reportCoverage = z
  .strictObject({
    total_included_workstreams: count,
    catalog_matched_workstreams: count,
    selected_workstreams: count,
    missing_handoff_workstreams: count,
    reported_with_omissions: count,
    unchecked_evidence_workstreams: count,
    unavailable_evidence_workstreams: count,
    activity_without_handoff_workstreams: count,
    activity_after_handoff_workstreams: count,
    unknown_time_events: count,
    unassigned_activity_count: count,
    activity_coverage: z.enum(['not_configured', 'captured', 'unavailable']),
  })
  .meta({ id: 'ReportCoverage' });

export const handoffChange = z
  .strictObject({
    scope_id: scopeId,
    change: z.enum(['none', 'first', 'advanced', 'unchanged']),
    from: artifactRef.nullable(),
    to: artifactRef.nullable(),
    from_status: reportStatus,
    to_status: reportStatus,
  })
  .meta({ id: 'HandoffChange' });

export const reportPeriodComparison = z
  .strictObject({
    previous_start: time,
    previous_end: time,
    current_activity_count: count,
    previous_activity_count: count,
    activity_delta: z.int(),
    handoff_boundary_coverage: z.enum(['exact', 'unavailable']),
    handoff_changes: z.array(handoffChange),
  })
  .meta({ id: 'ReportPeriodComparison' });

/** A period as a report carries it. The zone is shown, and moves no boundary. */
export const normalizedPeriod = z
  .strictObject({
    start: time,
    end: time,
    timezone: z.string(),
    compare_to_previous_period: z.boolean(),
  })
  .meta({ id: 'NormalizedReportPeriod' });

export const handoffReport = z
  .strictObject({
    schema: z.literal('service.handoff-report.v2'),
    trust: z.literal('untrusted_history'),
    report_kind: z.enum(['handoff', 'periodic']),
    locale: reportLocale,
    format: z.enum(['json', 'markdown']),
    renderer_version: str(1, 64),
    generated_at: time,
    selection: scopeSelection.nullable(),
    project: projectDescriptor.nullable(),
    project_revision: int(1).nullable(),
    normalized_filters: z.strictObject({
      include_archived: z.boolean(),
      include_evidence_checks: z.boolean(),
    }),
    normalized_period: normalizedPeriod.nullable(),
    period_comparison: reportPeriodComparison.nullable(),
    selection_consistency: z.enum(['snapshot']),
    scope_ids: z.array(scopeId).max(10_000),
    baseline_selection: z.array(reportSelectionEntry).nullable(),
    end_selection: z.array(reportSelectionEntry),
    activity_cursor: count,
    activity_selection: z.array(z.string()).max(maxReportActivities),
    selection_digest: digest,
    report_digest: digest,
    coverage: reportCoverage,
    summary: reportSummary,
    unassigned_activity: z.array(reportActivity),
    scopes: z.array(scopeReport),
  })
  .meta({ id: 'HandoffReport' });

export const handoffReportResponse = z
  .strictObject({
    format: z.enum(['json', 'markdown']),
    report: handoffReport.nullable(),
    markdown: z.string().nullable(),
    selection_digest: digest,
    report_digest: digest,
  })
  .meta({ id: 'HandoffReportResponse' });

export type ReportSelectionEntry = z.infer<typeof reportSelectionEntry>;
export type HandoffRevisionSummary = z.infer<typeof handoffRevisionSummary>;
export type ScopeReport = z.infer<typeof scopeReport>;
export type ReportSummary = z.infer<typeof reportSummary>;
export type ReportCoverage = z.infer<typeof reportCoverage>;
export type HandoffChange = z.infer<typeof handoffChange>;
export type ReportPeriodComparison = z.infer<typeof reportPeriodComparison>;
export type NormalizedReportPeriod = z.infer<typeof normalizedPeriod>;
export type HandoffReport = z.infer<typeof handoffReport>;
export type HandoffReportResponse = z.infer<typeof handoffReportResponse>;
