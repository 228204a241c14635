import type { HandoffReportActivity, PageJobPayload, ReportLocale } from '@continuity/contract/reports';
import type { Sql, TenantId } from '@continuity/shared/kernel';
import { findLastPositions } from '../../sources/index.ts';
import { readContinuity } from '../../work-records/index.ts';
import { compareToPrevious } from '../model/comparison.ts';
import { selectionDigest } from '../model/digests.ts';
import { type EntryParts, toEntry } from '../model/entry.ts';
import type { ReportForm } from '../model/frame.ts';
import { readActivities } from '../read/activities.ts';
import { readHandoffs } from '../read/contents.ts';
import { readDescriptors } from '../read/descriptors.ts';
import { EvidenceChecker } from '../read/evidence.ts';
import { type PlannedEntry, selectionEntry } from '../read/plan.ts';
import { normalizePeriod } from '../read/project.ts';
import { OutputTooLargeError } from '../render/limited-output.ts';
import { type RenderedReport, ReportBuilder, type ReportHead } from '../render/report-builder.ts';
import { findRendering } from '../renderings/store.ts';
import type { ReportLimits } from './report-deps.ts';
import { outputTooLarge, type SelectedReport, selectReport } from './select.ts';

/** What a report job renders. */
export interface ReportOrder {
  tenantId: TenantId;
  request: PageJobPayload;
  form: ReportForm;
}

/** A report that was read on one snapshot: stored before, or rendered now. */
export interface MadeReport {
  /** Null for a selection of Scopes. */
  project: { projectId: string; purgeCount: number } | null;
  locale: ReportLocale;
  selectionDigest: string;
  rendering: { storedId: string } | (RenderedReport & { isReusable: boolean });
}

/** Entries and bytes of their texts that are in memory at a time. */
const chunkEntries = 100;
const chunkBytes = 1024 * 1024;

/**
 * Makes a report on a snapshot: resolves the selection, then answers with the stored rendering of it, or reads and renders its
 * entries in chunks (spec 30 §4.4, §4.7). Throws 404, 413 and 422.
 */
export async function makeReport(sql: Sql, order: ReportOrder, limits: ReportLimits): Promise<MadeReport> {
  const { tenantId, request, form } = order;
  const selected = await selectReport(sql, tenantId, request, limits);
  const { head, activities, positions } = await readHead(sql, order, selected);
  const { project } = selected;
  const locale = request.locale ?? project?.descriptor.default_locale ?? 'en';
  const made = {
    project: project && { projectId: project.descriptor.project_id, purgeCount: project.purgeCount },
    locale,
    selectionDigest: head.selection_digest,
  };
  const key = { tenantId, selectionDigest: head.selection_digest, form, locale };
  const stored = await findRendering(sql, key, limits.renderingTtlMs);
  if (stored !== undefined) {
    if (stored.bytes > limits.outputBytes) throw outputTooLarge(selected, limits.outputBytes, stored.bytes);
    return { ...made, rendering: { storedId: stored.renderingId } };
  }
  const builder = new ReportBuilder({
    form,
    locale,
    isProject: project !== null,
    limitBytes: limits.outputBytes,
  });
  try {
    const isReusable = await addEntries(sql, order, limits, { selected, positions, activities, builder });
    return { ...made, rendering: { ...builder.finish(head), isReusable } };
  } catch (error) {
    if (!(error instanceof OutputTooLargeError)) throw error;
    throw outputTooLarge(selected, limits.outputBytes, error.bytes);
  }
}

type ActivitiesByScope = Map<string | null, HandoffReportActivity[]>;

async function readHead(
  sql: Sql,
  { tenantId, request }: ReportOrder,
  selected: SelectedReport,
): Promise<{ head: ReportHead; activities: ActivitiesByScope; positions: number[] }> {
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
  const head: ReportHead = {
    schema: 'service.handoff-report.v2',
    trust: 'untrusted_history',
    report_kind: period === null ? 'handoff' : 'periodic',
    generated_at: selected.readAt.toISOString(),
    project: project?.descriptor ?? null,
    period_comparison: compareToPrevious(selected),
    ...selectionFields,
    activity_selection: ordered.map(({ event_id }) => event_id),
    selection_digest: selectionDigest({
      ...selectionFields,
      project_id: project?.descriptor.project_id ?? null,
      activity_selection: ordered,
    }),
    unassigned_activity: unassigned,
  };
  return { head, activities, positions };
}

interface EntryWork {
  selected: SelectedReport;
  positions: number[];
  activities: ActivitiesByScope;
  builder: ReportBuilder;
}

/** Reads and renders the entries. False if the evidence of one was not checked for lack of time. */
async function addEntries(
  sql: Sql,
  { tenantId, request }: ReportOrder,
  { evidenceBudgetMs }: ReportLimits,
  { selected, positions, activities, builder }: EntryWork,
): Promise<boolean> {
  const checker = request.include_evidence_checks
    ? new EvidenceChecker(sql, tenantId, evidenceBudgetMs)
    : null;
  let hasTime = true;
  for (const { from, entries } of chunksOf(selected.entries)) {
    const [handoffs, descriptors, continuity] = await Promise.all([
      readHandoffs(sql, tenantId, entries),
      readDescriptors(sql, tenantId, entries),
      readContinuity(
        sql,
        tenantId,
        entries.map(({ scopeId, scopeKey, selected: chosen }, index) => ({
          scopeId,
          scopeKey,
          throughPosition: positions[from + index] ?? 0,
          selectedRevision: chosen?.revision ?? null,
        })),
      ),
    ]);
    const checks = await checker?.check(handoffs);
    entries.forEach(({ scopeId }, index) => {
      const scope = descriptors.scopes.get(scopeId);
      const workContinuity = continuity[index];
      if (scope === undefined || workContinuity === undefined)
        throw new Error('A selected Scope was not read.');
      const handoff = handoffs.get(scopeId) ?? null;
      const evidence = evidenceOf(checks, scopeId);
      if (handoff !== null && evidence === 'out_of_time') hasTime = false;
      builder.add(
        toEntry({
          scope,
          workstream: descriptors.workstreams.get(scopeId) ?? null,
          handoff,
          evidence,
          continuity: workContinuity,
          activities: activities.get(scopeId) ?? [],
        }),
      );
    });
  }
  return hasTime;
}

function evidenceOf(
  checks: Map<string, Exclude<EntryParts['evidence'], string>> | undefined,
  scopeId: string,
): EntryParts['evidence'] {
  if (checks === undefined) return 'not_requested';
  return checks.get(scopeId) ?? 'out_of_time';
}

/** Entries in order, so many at a time that their texts stay small. `from` is the place of the first. */
function chunksOf(entries: readonly PlannedEntry[]): { from: number; entries: PlannedEntry[] }[] {
  const chunks: { from: number; entries: PlannedEntry[] }[] = [];
  let room = 0;
  entries.forEach((entry, from) => {
    const bytes = entry.bytes.content + entry.bytes.descriptor + entry.bytes.events;
    const last = chunks.at(-1);
    if (last === undefined || last.entries.length === chunkEntries || room < bytes) {
      chunks.push({ from, entries: [entry] });
      room = chunkBytes - bytes;
    } else {
      last.entries.push(entry);
      room -= bytes;
    }
  });
  return chunks;
}
