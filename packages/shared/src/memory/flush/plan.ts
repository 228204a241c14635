import type { SourceRef } from '@continuity/contract';
import type { EntryRow } from '../entry.ts';
import { addEntry, reactivateWithEvidence, reviseFields } from '../entry-writes.ts';
import { contentKey, isEqualContent, isEqualEntry, type Statement } from '../equality.ts';
import { addEvidence, evidenceReason } from '../evidence.ts';
import type { AddProposal, Proposal, ReviseProposal } from '../extraction/index.ts';
import { type AffectedEntry, lastDeactivated } from '../find-affected.ts';
import type { CurrentEntry, EntryWrite } from '../revision-rows.ts';

/** Writes of a flush, at most one per entry. */
export interface FlushPlan {
  writes: EntryWrite[];
  /** Number of revises of entries that have changed since extraction (spec 20 F10). */
  stale: number;
}

interface PlanInput {
  proposals: Proposal[];
  /** Entries at the locked head, ascending by `entry_id`. */
  affected: AffectedEntry[];
  /** Version of each known entry at extraction, by entry id. */
  seenVersions: ReadonlyMap<string, string>;
  positionOf: (source: SourceRef) => number;
}

/**
 * Plans the writes of proposals against the current head (spec 20 F10, F15). Plans revises first: an add may repeat the text that a
 * revise replaces, and the entry has one write. Idempotent for the same window.
 */
export function planFlush(input: PlanInput): FlushPlan {
  const writes = new Map<string, EntryWrite>();
  const byId = new Map(input.affected.map((entry) => [entry.entry_id, entry]));
  let stale = 0;
  for (const proposal of input.proposals) {
    if (proposal.op !== 'revise') continue;
    const entry = byId.get(proposal.entry_id);
    if (entry === undefined || !isAsSeen(entry, input)) stale += 1;
    else addWrite(writes, revise(entry, proposal, input));
  }
  const byContent = Map.groupBy(input.affected, contentKey);
  const revised = Map.groupBy(writes.values(), (write) => contentKey(write.after));
  for (const proposal of input.proposals) {
    if (proposal.op !== 'add') continue;
    const key = contentKey(proposal);
    const same = revised.get(key)?.find((write) => isEqualAfter(write, proposal));
    const write = same && writes.get(same.after.entry_id);
    if (write !== undefined) writes.set(write.after.entry_id, withSupport(write, proposal.evidence, input));
    else addWrite(writes, add(proposal, byContent.get(key) ?? [], input));
  }
  return { writes: [...writes.values()], stale };
}

/** Whether a statement is equal to an entry as a revise leaves it. Extraction ends no entry. */
function isEqualAfter({ before, after }: EntryWrite, proposal: AddProposal): boolean {
  return isEqualEntry({ ...after, has_ended: before?.ended ?? false }, statementOf(proposal));
}

function statementOf({ kind, text, holds_from = null, holds_until = null }: AddProposal): Statement {
  return { kind, text, holds_from, holds_until };
}

/** Adds a write, unless the entry has one. */
function addWrite(writes: Map<string, EntryWrite>, write: EntryWrite | null): void {
  if (write !== null && !writes.has(write.after.entry_id)) writes.set(write.after.entry_id, write);
}

/** A write whose entry also gets this evidence. */
function withSupport(write: EntryWrite, evidence: SourceRef[], input: PlanInput): EntryWrite {
  return { ...write, after: { ...write.after, source_refs: withEvidence(write.after, evidence, input) } };
}

function isAsSeen(entry: AffectedEntry, { seenVersions }: PlanInput): boolean {
  return entry.active && seenVersions.get(entry.entry_id) === entry.entry_version_id;
}

/** `known` are the entries with the content of the proposal. */
function add(proposal: AddProposal, known: AffectedEntry[], input: PlanInput): EntryWrite | null {
  const equals = known.filter((entry) => isEqualEntry(entry, statementOf(proposal)));
  const active = equals.find((entry) => entry.active);
  if (active !== undefined) return addSupport(active, proposal.evidence, input);
  const latest = lastDeactivated(equals);
  if (latest !== undefined) return reactivate(latest, proposal.evidence, input);
  return addEntry(proposal, null, addEvidence(null, inOrder(proposal.evidence, input)));
}

/** Revises an entry to add evidence; null if it has the evidence. */
function addSupport(entry: CurrentEntry, evidence: SourceRef[], input: PlanInput): EntryWrite | null {
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input));
  return source_refs === null ? null : reviseFields(entry, { source_refs }, evidenceReason);
}

/** Reactivates a retired entry, but only for a Source that was committed after the retirement. */
function reactivate(entry: AffectedEntry, evidence: SourceRef[], input: PlanInput): EntryWrite | null {
  const retiredAt = entry.deactivated_at_position ?? 0;
  if (evidence.every((ref) => input.positionOf(ref) <= retiredAt)) return null;
  return reactivateWithEvidence(entry, withEvidence(entry, evidence, input));
}

function revise(entry: AffectedEntry, proposal: ReviseProposal, input: PlanInput): EntryWrite | null {
  const { kind, text, evidence, reason } = proposal;
  if (isEqualContent(entry, proposal)) return addSupport(entry, evidence, input);
  return reviseFields(entry, { kind, text, source_refs: withEvidence(entry, evidence, input) }, reason);
}

/** The evidence of an entry with more of it. */
function withEvidence(entry: EntryRow, more: SourceRef[], input: PlanInput): SourceRef[] | null {
  return addEvidence(entry.source_refs, inOrder(more, input)) ?? entry.source_refs;
}

function inOrder(evidence: SourceRef[], { positionOf }: PlanInput): SourceRef[] {
  return [...evidence].sort((left, right) => positionOf(left) - positionOf(right));
}
