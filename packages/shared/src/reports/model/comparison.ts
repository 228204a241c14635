import type { HandoffChange, ReportPeriodComparison } from '@continuity/contract/reports';
import { handoffRefOrNull } from '../../evidence/index.ts';
import type { SelectedReport } from '../job/select.ts';
import type { PlannedEntry } from '../read/plan.ts';

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
