import type { ReportPeriodComparison, ScopeReport } from '@continuity/contract/reports';
import type { ReportFrame } from '../content/frame.ts';
import { activityItem, listOrNone, titleOf } from './entry.ts';
import { code, heading, item, joinLines, labeled, named, stored, titled, words } from './lines.ts';
import type { Block, Item, Line } from './markdown.ts';
import { describeRevision } from './references.ts';
import type { Words } from './words.ts';

/** Fields of one entry in the sections before the details. */
export interface EntryLine {
  scopeId: string;
  title: string;
  parentScopeId: string | null;
  status: ScopeReport['status'];
  reportingStatus: ScopeReport['reporting_status'];
  /** `scope_id/family/artifact_id@revision` */
  handoff: string | null;
  /** The text of the next action of a blocked entry. */
  blocker: string | null;
}

/** Extracts the fields for the overview, so that the entry itself can be dropped. */
export function entryLineOf(entry: ScopeReport): EntryLine {
  const { scope, handoff, content, status } = entry;
  return {
    scopeId: scope.scope_id,
    title: titleOf(entry),
    parentScopeId: scope.parent_scope_id,
    status,
    reportingStatus: entry.reporting_status,
    handoff: handoff && `${handoff.scope_id}/${describeRevision(handoff.artifact)}`,
    blocker: status === 'blocked' ? (content?.next_action?.text ?? null) : null,
  };
}

/** The sections before the details of the entries (spec 30 §4.9). */
export function overviewBlocks(frame: ReportFrame, entries: readonly EntryLine[], w: Words): Block[] {
  return [
    heading(1, words(reportTitle(frame, w))),
    { kind: 'quote', line: [words(w.notice)] },
    heading(2, words(w.overview)),
    { kind: 'list', items: overviewItems(frame, w) },
    ...periodBlocks(frame, w),
    ...comparisonBlocks(frame.period_comparison, entries, w),
    heading(2, words(w.blockers)),
    listOrNone(blockerItems(entries, w), w),
    heading(2, words(w.status)),
    statusBlock(entries, w),
    heading(2, words(w.details)),
    ...(entries.length === 0 ? [listOrNone([], w)] : []),
  ];
}

/** The first heading, and the beginning of the title of the page. */
export function reportTitle({ project }: Pick<ReportFrame, 'project'>, w: Words): string {
  return project === null ? w.report : w.projectReport;
}

function overviewItems({ project, selection, summary, coverage }: ReportFrame, w: Words): Item[] {
  const subject =
    project === null
      ? labeled(w.selection, selection && code(selection.mode))
      : [words(`${w.project}: `), ...named(project.title, project.project_key)];
  const counts = [
    count(w.scopes, coverage.selected_workstreams),
    count(w.continuable, summary.continuable_count),
    count(w.blocked, summary.blocked_count),
    count(w.complete, summary.complete_count),
    count(w.noHandoff, summary.no_handoff_count),
  ];
  const evidence = [
    count(w.withOmissions, coverage.reported_with_omissions),
    count(w.evidenceUnavailable, coverage.unavailable_evidence_workstreams),
    count(w.evidenceNotChecked, coverage.unchecked_evidence_workstreams),
    project === null ? [] : count(w.activityAfterHandoff, coverage.activity_after_handoff_workstreams),
  ];
  const isSilent = project !== null && coverage.activity_coverage === 'not_configured';
  return [
    item(subject),
    item(joinLines(counts, '; ')),
    item(joinLines(evidence, '; ')),
    ...(isSilent ? [item([words(w.activityNotice)])] : []),
  ];
}

function count(label: string, value: number): Line {
  return labeled(label, words(String(value)));
}

function periodBlocks({ normalized_period: period }: ReportFrame, w: Words): Block[] {
  if (period === null) return [];
  const items = [
    item(labeled(w.start, code(period.start))),
    item(labeled(w.end, code(period.end))),
    item(labeled(w.timeZone, code(period.timezone))),
  ];
  return [heading(2, words(w.period)), { kind: 'list', items }];
}

function comparisonBlocks(
  comparison: ReportPeriodComparison | null,
  entries: readonly EntryLine[],
  w: Words,
): Block[] {
  if (comparison === null) return [];
  const { current_activity_count, previous_activity_count, activity_delta } = comparison;
  const counts = [
    count(w.activityNow, current_activity_count),
    count(w.activityBefore, previous_activity_count),
  ];
  const difference = activity_delta > 0 ? `+${activity_delta}` : String(activity_delta);
  const changes = comparison.handoff_changes.flatMap((change, index) => {
    if (change.change === 'none') return [];
    const title = entries[index]?.title ?? change.scope_id;
    const from = code(describeEnd(change.from_status, change.from));
    const to = code(describeEnd(change.to_status, change.to));
    const line = [...named(title, change.scope_id), words(': '), code(change.change)];
    return [item([...line, words(': '), from, words(' → '), to])];
  });
  const items = [
    item(joinLines(counts, '; ')),
    item(labeled(w.difference, words(difference))),
    item(labeled(w.boundaries, code(comparison.handoff_boundary_coverage))),
    ...changes,
  ];
  return [heading(2, words(w.comparison)), { kind: 'list', items }];
}

type Change = ReportPeriodComparison['handoff_changes'][number];

/** `<status> @<revision>`, or `no_handoff`. */
function describeEnd(status: Change['to_status'], reference: Change['to']): string {
  return reference === null ? status : `${status} @${reference.revision}`;
}

function blockerItems(entries: readonly EntryLine[], w: Words): Item[] {
  return entries
    .filter(({ status }) => status === 'blocked')
    .map(({ title, scopeId, blocker }) => {
      const line = named(title, scopeId);
      return item(blocker === null ? [...line, words(`: ${w.none}`)] : titled(line, blocker));
    });
}

function statusBlock(entries: readonly EntryLine[], w: Words): Block {
  if (entries.length === 0) return listOrNone([], w);
  const orDash = (value: string | null) => [value === null ? words('—') : code(value)];
  const rows = entries.map((entry) => [
    [stored(entry.title)],
    orDash(entry.parentScopeId),
    [code(entry.status)],
    [code(entry.reportingStatus)],
    orDash(entry.handoff),
  ]);
  return { kind: 'table', head: w.statusHead, rows };
}

/** The sections after the details of the entries (spec 30 §4.9). */
export function closingBlocks(frame: ReportFrame, w: Words): Block[] {
  return [
    ...unassignedBlocks(frame, w),
    heading(2, words(w.metadata)),
    {
      kind: 'list',
      items: [
        item(labeled(w.selectionDigest, code(frame.selection_digest))),
        item(labeled(w.reportDigest, code(frame.report_digest))),
      ],
    },
  ];
}

function unassignedBlocks({ project, unassigned_activity }: ReportFrame, w: Words): Block[] {
  if (project === null) return [];
  const items = unassigned_activity.map((activity) => activityItem(activity, w));
  return [heading(2, words(w.unassignedActivity)), listOrNone(items, w)];
}
