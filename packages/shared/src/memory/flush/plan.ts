import type { SourceRef } from '@continuity/contract';
import { newId } from '@continuity/shared/kernel';
import type { EntryRow } from '../entry.ts';
import type { Proposal } from '../extraction/index.ts';
import { type AffectedEntry, lastDeactivated } from '../find-affected.ts';
import type { CurrentEntry, EntryWrite } from '../revision-rows.ts';
import { addEvidence } from './evidence.ts';

type AddProposal = Extract<Proposal, { op: 'add' }>;
type ReviseProposal = Extract<Proposal, { op: 'revise' }>;

/** Writes of a flush, at most one per entry. */
export interface FlushPlan {
  writes: EntryWrite[];
  /** Number of revises of entries that have changed since extraction (spec 20 F10). */
  stale: number;
}

export interface PlanInput {
  proposals: Proposal[];
  /** Entries at the locked head, ascending by `entry_id`. */
  affected: AffectedEntry[];
  /** Version of each known entry at extraction, by entry id. */
  seenVersions: ReadonlyMap<string, string>;
  positionOf: (source: SourceRef) => number;
}

/** Reason of a revise that only adds evidence (F15). */
const evidenceReason = 'evidence';

/** Plans the writes of proposals against the current head (spec 20 F10, F15). Idempotent for the same window. */
export function planFlush(input: PlanInput): FlushPlan {
  const writes = new Map<string, EntryWrite>();
  const byId = new Map(input.affected.map((entry) => [entry.entry_id, entry]));
  const byContent = Map.groupBy(input.affected, contentKey);
  let stale = 0;
  for (const proposal of input.proposals) {
    if (proposal.op === 'revise') {
      const entry = byId.get(proposal.entry_id);
      if (entry === undefined || !isAsSeen(entry, input)) stale += 1;
      else addWrite(writes, revise(entry, proposal, input));
    } else {
      addWrite(writes, add(proposal, byContent.get(contentKey(proposal)) ?? [], input));
    }
  }
  return { writes: [...writes.values()], stale };
}

/** Adds a write, unless the entry has one. */
function addWrite(writes: Map<string, EntryWrite>, write: EntryWrite | null): void {
  if (write !== null && !writes.has(write.after.entry_id)) writes.set(write.after.entry_id, write);
}

function isAsSeen(entry: AffectedEntry, { seenVersions }: PlanInput): boolean {
  return entry.active && seenVersions.get(entry.entry_id) === entry.entry_version_id;
}

function contentKey({ kind, text }: { kind: string; text: string }): string {
  return JSON.stringify([kind, text]);
}

/** `equals` are the entries with the content of the proposal. */
function add(proposal: AddProposal, equals: AffectedEntry[], input: PlanInput): EntryWrite | null {
  const active = equals.find((entry) => entry.active);
  if (active !== undefined) return addSupport(active, proposal.evidence, input);
  const latest = lastDeactivated(equals);
  if (latest !== undefined) return reactivate(latest, proposal, input);
  const after: EntryRow = {
    entry_id: newId(),
    entry_version_id: newId(),
    version: 1,
    active: true,
    kind: proposal.kind,
    text: proposal.text,
    source_refs: addEvidence(null, inOrder(proposal.evidence, input)),
    artifact_refs: null,
  };
  return { op: 'add', before: null, after, reason: null };
}

/** Revises an entry to add evidence; null if it has the evidence. */
function addSupport(entry: CurrentEntry, evidence: SourceRef[], input: PlanInput): EntryWrite | null {
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input));
  if (source_refs === null) return null;
  return { op: 'revise', before: entry, after: nextVersion(entry, { source_refs }), reason: evidenceReason };
}

/** Reactivates a retired entry, but only for a Source that was committed after the retirement. */
function reactivate(entry: AffectedEntry, { evidence }: AddProposal, input: PlanInput): EntryWrite | null {
  const retiredAt = entry.deactivated_at_position ?? 0;
  if (evidence.every((ref) => input.positionOf(ref) <= retiredAt)) return null;
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input)) ?? entry.source_refs;
  return {
    op: 'reactivate',
    before: entry,
    after: nextVersion(entry, { source_refs, active: true }),
    reason: null,
  };
}

function revise(entry: AffectedEntry, proposal: ReviseProposal, input: PlanInput): EntryWrite | null {
  const { kind, text, evidence, reason } = proposal;
  if (entry.kind === kind && entry.text === text) return addSupport(entry, evidence, input);
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input)) ?? entry.source_refs;
  return { op: 'revise', before: entry, after: nextVersion(entry, { kind, text, source_refs }), reason };
}

function nextVersion(entry: CurrentEntry, change: Partial<EntryRow>): EntryRow {
  return { ...entry, ...change, version: entry.version + 1, entry_version_id: newId() };
}

function inOrder(evidence: SourceRef[], { positionOf }: PlanInput): SourceRef[] {
  return [...evidence].sort((left, right) => positionOf(left) - positionOf(right));
}
