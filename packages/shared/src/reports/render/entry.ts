import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import type { HandoffContent, HandoffEvidenceCheck, HandoffStatement } from '@continuity/contract/handoff';
import type { HandoffReportActivity, ScopeReport } from '@continuity/contract/reports';
import type { WorkContinuityEvent } from '@continuity/contract/work';
import { effectiveTime } from '../content/activities.ts';
import {
  capitalized,
  code,
  heading,
  item,
  joinLines,
  labeled,
  named,
  spaced,
  stored,
  titled,
  words,
} from './lines.ts';
import type { Block, Item, Line } from './markdown.ts';
import { describeCitation, referencesLine } from './references.ts';
import type { Words } from './words.ts';

/** One activity as an item, with its details as nested items. */
export function activityItem(activity: HandoffReportActivity, w: Words): Item {
  const time = effectiveTime(activity);
  const facts = spaced(time === null ? null : code(time), code(activity.time_basis), code(activity.source));
  const summary: Line = activity.summary === null ? [] : [stored(activity.summary)];
  return item(titled(facts, activity.title), summary, detailsLine(activity, w));
}

function detailsLine(activity: HandoffReportActivity, w: Words): Line {
  const { event_id, source_event_id, source_ref, evidence_refs, agent, session_id } = activity;
  const references = source_ref === null ? evidence_refs : [source_ref, ...evidence_refs];
  const { branch = null, head_revision = null } = activity.vcs_context ?? {};
  const { provider = null, label = null } = agent ?? {};
  return joinLines(
    [
      labeled(capitalized(w.event), code(event_id), code(source_event_id)),
      referencesLine(w.references, references),
      labeled(w.vcs, codeOrNull(branch), codeOrNull(head_revision)),
      labeled(w.agent, codeOrNull(provider), codeOrNull(label)),
      labeled(w.session, codeOrNull(session_id)),
      labeled(w.trust, code(activity.trust)),
    ],
    '; ',
  );
}

function codeOrNull(value: string | null) {
  return value === null ? null : code(value);
}

/** The title of an entry: that of its Workstream, else that of its Scope. */
export function titleOf({ workstream, scope }: Pick<ScopeReport, 'workstream' | 'scope'>): string {
  return workstream?.title ?? scope.title;
}

/** A list, or `None` where there is no item. */
export function listOrNone(items: readonly Item[], w: Words): Block {
  return items.length === 0 ? { kind: 'paragraph', line: [words(w.none)] } : { kind: 'list', items };
}

/** The details of one entry (spec 30 §4.9). `number` counts the entries from 1; `isProject` selects the Project form. */
export function entryBlocks(entry: ScopeReport, number: number, isProject: boolean, w: Words): Block[] {
  return [
    { kind: 'heading', level: 3, line: named(titleOf(entry), entry.scope.scope_id), id: `entry-${number}` },
    ...keyBlock(entry, w),
    ...handoffBlocks(entry, w),
    heading(4, words(w.continuity)),
    { kind: 'list', items: continuityItems(entry, w) },
    ...(isProject ? activityBlocks(entry, w) : []),
  ];
}

function keyBlock({ workstream }: ScopeReport, w: Words): Block[] {
  if (workstream === null) return [];
  const { key, external_refs } = workstream;
  const keyLine = key === null ? [] : labeled(capitalized(w.key), code(key));
  const label = key === null ? capitalized(w.references) : w.references;
  const line = joinLines([keyLine, referencesLine(label, external_refs)], '; ');
  return line.length === 0 ? [] : [{ kind: 'list', items: [item(line)] }];
}

function handoffBlocks(entry: ScopeReport, w: Words): Block[] {
  const { content, evidence_checks } = entry;
  if (content === null) return [{ kind: 'paragraph', line: [words(w.noCommittedHandoff)] }];
  const { state, next_action } = content;
  const states = state.map((statement, index) =>
    statementItem(statement, checkOf(evidence_checks, index), w),
  );
  const nextActions =
    next_action === null ? [] : [statementItem(next_action, checkOf(evidence_checks, state.length), w)];
  return [
    heading(4, words(w.objective)),
    { kind: 'paragraph', line: [stored(content.objective)] },
    heading(4, words(w.currentState)),
    listOrNone(states, w),
    heading(4, words(w.nextAction)),
    listOrNone(nextActions, w),
    heading(4, words(w.omissions)),
    listOrNone(omissionItems(content, w), w),
    heading(4, words(w.history)),
    { kind: 'list', items: historyItems(entry, w) },
  ];
}

/** The check of a statement, `state` in order and then `next_action`; undefined if the evidence was not checked. */
function checkOf(checks: ScopeReport['evidence_checks'], index: number): HandoffEvidenceCheck | undefined {
  return checks === 'not_checked' ? undefined : checks[index];
}

function statementItem(
  { text, citations }: HandoffStatement,
  check: HandoffEvidenceCheck | undefined,
  w: Words,
): Item {
  const unavailable = new Set(check?.unavailable_evidence.map(citationKey));
  const isUnavailable = (citation: Citation) => unavailable.has(citationKey(citation));
  return item([stored(text)], evidenceLine(check?.status ?? 'not_checked', citations, isUnavailable, w));
}

function omissionItems({ omissions }: HandoffContent, w: Words): Item[] {
  return omissions.map(({ text, citation }) =>
    item([stored(text)], citation === null ? [] : evidenceLine('not_checked', [citation], () => false, w)),
  );
}

function evidenceLine(
  status: string,
  citations: readonly Citation[],
  isUnavailable: (citation: Citation) => boolean,
  w: Words,
): Line {
  const cited = citations.map((citation) =>
    spaced(code(describeCitation(citation)), isUnavailable(citation) ? code('unavailable') : null),
  );
  return [words(`${w.evidence} `), code(status), words(': '), ...joinLines(cited, ', ')];
}

function historyItems({ handoff_revision_count, handoff_history }: ScopeReport, w: Words): Item[] {
  const revisions = handoff_history.toReversed().map((summary) => {
    const { reference, disposition, committed_at, objective_excerpt, next_action_excerpt } = summary;
    const facts = spaced(code(`@${reference.revision}`), code(disposition), code(committed_at));
    const counts = [
      labeled(capitalized(w.state), words(String(summary.state_count))),
      labeled(w.omissionCount, words(String(summary.omission_count))),
      labeled(w.nextActionExcerpt, next_action_excerpt === null ? null : stored(next_action_excerpt)),
    ];
    return item(titled(facts, objective_excerpt), joinLines(counts, '; '));
  });
  return [item([words(w.shown(handoff_revision_count, handoff_history.length))]), ...revisions];
}

function continuityItems({ continuity }: ScopeReport, w: Words): Item[] {
  const { coverage, invalid_record_count, truncated, total_event_count, events } = continuity;
  const states = [
    labeled(w.transfer, code(coverage.transfer_state)),
    labeled(w.outcome, code(coverage.outcome_state)),
    labeled(w.unreadableRecords, words(String(invalid_record_count))),
  ];
  return [
    item(joinLines(states, '; ')),
    ...(truncated ? [item([words(w.shown(total_event_count, events.length))])] : []),
    ...events.map((event) => eventItem(event)),
  ];
}

function eventItem({ position, kind, status, summary, actor }: WorkContinuityEvent): Item {
  return item(titled(spaced(code(`#${position}`), code(kind), code(status)), summary ?? actor));
}

function activityBlocks({ activities }: ScopeReport, w: Words): Block[] {
  const items = activities.map((activity) => activityItem(activity, w));
  return [heading(4, words(w.observedActivity)), listOrNone(items, w)];
}
