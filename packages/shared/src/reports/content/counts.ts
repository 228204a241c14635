import type {
  HandoffChange,
  HandoffReport,
  ReportCoverage,
  ReportPeriodComparison,
  ReportSummary,
  ScopeReport,
} from '@continuity/contract/reports';
import { handoffRefOrNull } from '../../evidence/index.ts';
import type { SelectedReport } from '../job/select.ts';
import type { PlannedEntry } from '../read/plan.ts';
import { effectiveTime } from './activities.ts';

type Counted = Pick<
  ScopeReport,
  'status' | 'reporting_status' | 'evidence_checks' | 'activity_status' | 'activities'
>;

/** Counts the entries of a report one by one (spec 30 §4.3.10). */
export class ReportCounts {
  readonly #summary: ReportSummary = {
    continuable_count: 0,
    blocked_count: 0,
    complete_count: 0,
    no_handoff_count: 0,
  };
  #entries = 0;
  #withOmissions = 0;
  #unchecked = 0;
  #unavailable = 0;
  #withoutHandoff = 0;
  #afterHandoff = 0;
  #unknownTimes = 0;

  add(entry: Counted): void {
    const { status, reporting_status, evidence_checks, activity_status, activities } = entry;
    this.#entries += 1;
    this.#summary[`${status}_count`] += 1;
    if (reporting_status === 'reported_with_omissions') this.#withOmissions += 1;
    if (reporting_status === 'evidence_unavailable') this.#unavailable += 1;
    if (status !== 'no_handoff' && evidence_checks === 'not_checked') this.#unchecked += 1;
    if (activity_status === 'activity_without_handoff') this.#withoutHandoff += 1;
    if (activity_status === 'activity_after_handoff') this.#afterHandoff += 1;
    this.#unknownTimes += countUnknownTimes(activities);
  }

  summary(): ReportSummary {
    return { ...this.#summary };
  }

  coverage({
    unassigned_activity,
    activity_cursor,
  }: Pick<HandoffReport, 'unassigned_activity' | 'activity_cursor'>): ReportCoverage {
    return {
      total_included_workstreams: this.#entries,
      catalog_matched_workstreams: this.#entries,
      selected_workstreams: this.#entries,
      missing_handoff_workstreams: this.#summary.no_handoff_count,
      reported_with_omissions: this.#withOmissions,
      unchecked_evidence_workstreams: this.#unchecked,
      unavailable_evidence_workstreams: this.#unavailable,
      activity_without_handoff_workstreams: this.#withoutHandoff,
      activity_after_handoff_workstreams: this.#afterHandoff,
      unknown_time_events: this.#unknownTimes + countUnknownTimes(unassigned_activity),
      unassigned_activity_count: unassigned_activity.length,
      activity_coverage: activity_cursor > 0 ? 'captured' : 'not_configured',
    };
  }
}

function countUnknownTimes(activities: HandoffReport['unassigned_activity']): number {
  return activities.filter((activity) => effectiveTime(activity) === null).length;
}

/** Compares a period with the one before it; null without a comparison (spec 30 §4.3.9). */
export function compareToPrevious({
  period,
  previousStart,
  activities,
  entries,
}: SelectedReport): ReportPeriodComparison | null {
  if (period === null || previousStart === null) return null;
  return {
    previous_start: previousStart.toISOString(),
    previous_end: period.start.toISOString(),
    current_activity_count: activities.selected,
    previous_activity_count: activities.previous,
    activity_delta: activities.selected - activities.previous,
    handoff_boundary_coverage: 'exact',
    handoff_changes: entries.map(changeOf),
  };
}

function changeOf({ scopeId, baseline, selected }: PlannedEntry): HandoffChange {
  return {
    scope_id: scopeId,
    change: kindOf(baseline?.revision, selected?.revision),
    from: handoffRefOrNull(baseline?.revision),
    to: handoffRefOrNull(selected?.revision),
    from_status: baseline?.disposition ?? 'no_handoff',
    to_status: selected?.disposition ?? 'no_handoff',
  };
}

function kindOf(from: number | undefined, to: number | undefined): HandoffChange['change'] {
  if (to === undefined) return 'none';
  if (from === undefined) return 'first';
  return from === to ? 'unchanged' : 'advanced';
}
