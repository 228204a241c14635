import type { HandoffReportActivity } from '@continuity/contract/reports';
import type { Sql } from '@continuity/kernel/database';
import { findLastPositions } from '../../sources/index.ts';
import { compareToPrevious } from '../content/counts.ts';
import { exactSelectionDigest, type ReportSelection, selectionDigest } from '../content/digests.ts';
import { readActivities } from '../read/activities.ts';
import { selectionEntry } from '../read/plan.ts';
import { normalizePeriod } from '../read/project.ts';
import type { ReportHead } from './report-builder.ts';
import type { ReportOrder } from './report-deps.ts';
import type { SelectedReport } from './select.ts';

/** The activities of each entry, and those of no entry under null; in the order of the report. */
type ActivitiesByScope = Map<string | null, HandoffReportActivity[]>;

/** A report without its entries. `positions` are the last Source positions of the entries. */
export interface ReadHead {
  head: ReportHead;
  exactSelectionDigest: string;
  activities: ActivitiesByScope;
  positions: number[];
}

/** Reads the positions and the activities of a report, and computes the digests of its selection. One round trip. */
export async function readHead(
  sql: Sql,
  { tenantId, request }: ReportOrder,
  selected: SelectedReport,
): Promise<ReadHead> {
  const { project, entries, period, previousStart, activities: totals } = selected;
  const scopeKeys = entries.map(({ scopeKey }) => scopeKey);
  const [positions, baselinePositions, events] = await Promise.all([
    findLastPositions(sql, tenantId, scopeKeys, period?.end ?? null),
    period === null || previousStart === null
      ? null
      : findLastPositions(sql, tenantId, scopeKeys, period.start),
    project === null || totals.selected === 0
      ? []
      : readActivities(sql, tenantId, project.descriptor.project_id, period),
  ]);
  const known = new Set(entries.map(({ scopeId }) => scopeId));
  const placeOf = (scopeId: string | null) => (scopeId !== null && known.has(scopeId) ? scopeId : null);
  const activities = Map.groupBy(events, ({ scope_id }) => placeOf(scope_id));
  const unassigned = activities.get(null) ?? [];
  const ordered = [...entries.flatMap(({ scopeId }) => activities.get(scopeId) ?? []), ...unassigned];
  const selectionFields = {
    selection: project === null ? request.selection : null,
    scope_ids: entries.map(({ scopeId }) => scopeId),
    project_revision: project?.descriptor.version ?? null,
    normalized_filters: {
      include_archived: request.include_archived,
      include_evidence_checks: request.include_evidence_checks,
    },
    normalized_period: project && normalizePeriod(request.period, project.descriptor),
    selection_consistency: 'snapshot' as const,
    activity_cursor: project?.lastCursor ?? 0,
    baseline_selection:
      baselinePositions &&
      entries.map((entry, index) => selectionEntry(entry, entry.baseline, baselinePositions[index] ?? 0)),
    end_selection: entries.map((entry, index) =>
      selectionEntry(entry, entry.selected, positions[index] ?? 0),
    ),
  };
  const selection: ReportSelection = {
    ...selectionFields,
    project_id: project?.descriptor.project_id ?? null,
    activity_selection: ordered,
  };
  const head: ReportHead = {
    schema: 'service.handoff-report.v2',
    trust: 'untrusted_history',
    report_kind: period === null ? 'handoff' : 'periodic',
    generated_at: selected.readAt.toISOString(),
    project: project?.descriptor ?? null,
    period_comparison: compareToPrevious(selected),
    ...selectionFields,
    activity_selection: ordered.map(({ event_id }) => event_id),
    selection_digest: selectionDigest(selection),
    unassigned_activity: unassigned,
  };
  return { head, exactSelectionDigest: exactSelectionDigest(selection), activities, positions };
}
