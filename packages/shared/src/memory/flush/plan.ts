import type { SourceRef } from '@continuity/contract';
import { newId } from '@continuity/shared/kernel';
import type { EntryRow } from '../entry.ts';
import type { Proposal } from '../extraction/index.ts';
import { type AffectedEntry, deactivatedLast } from '../find-affected.ts';
import type { CurrentEntry, EntryWrite } from '../revision-rows.ts';
import { addEvidence } from './evidence.ts';

type AddProposal = Extract<Proposal, { op: 'add' }>;
type ReviseProposal = Extract<Proposal, { op: 'revise' }>;

/** What a flush does to the head: at most one write an entry. */
export interface FlushPlan {
  writes: EntryWrite[];
  /** Revises of entries that somebody changed since extraction read them (spec 20 F10). */
  stale: number;
}

export interface PlanInput {
  proposals: Proposal[];
  /** Entries at the head, under its lock, ascending by `entry_id`. */
  affected: AffectedEntry[];
  /** The version that extraction saw of each entry it may revise. */
  seenVersions: ReadonlyMap<string, string>;
  positionOf: (source: SourceRef) => number;
}

/** Reason of a revise that only adds evidence (F15). */
const evidenceReason = 'evidence';

/** Decides what proposals do to the Memory as it is now (spec 20 F10, F15). A replay of the same window does nothing. */
export function planFlush(input: PlanInput): FlushPlan {
  const writes = new Map<string, EntryWrite>();
  let stale = 0;
  for (const proposal of input.proposals) {
    if (proposal.op === 'revise') {
      const entry = input.affected.find(({ entry_id }) => entry_id === proposal.entry_id);
      if (entry === undefined || !isAsSeen(entry, input)) stale += 1;
      else keep(writes, revise(entry, proposal, input));
    } else {
      keep(writes, add(proposal, input));
    }
  }
  return { writes: [...writes.values()], stale };
}

/** The first write of an entry stays; a later one waits for the next window that says the same. */
function keep(writes: Map<string, EntryWrite>, write: EntryWrite | null): void {
  if (write !== null && !writes.has(write.after.entry_id)) writes.set(write.after.entry_id, write);
}

function isAsSeen(entry: AffectedEntry, { seenVersions }: PlanInput): boolean {
  return entry.active && seenVersions.get(entry.entry_id) === entry.entry_version_id;
}

function add(proposal: AddProposal, input: PlanInput): EntryWrite | null {
  const equals = input.affected.filter(({ kind, text }) => kind === proposal.kind && text === proposal.text);
  const active = equals.find((entry) => entry.active);
  if (active !== undefined) return support(active, proposal.evidence, input);
  const latest = deactivatedLast(equals);
  if (latest !== undefined) return bringBack(latest, proposal, input);
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

/** The same text with more evidence, or nothing where the evidence is there. */
function support(entry: CurrentEntry, evidence: SourceRef[], input: PlanInput): EntryWrite | null {
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input));
  if (source_refs === null) return null;
  return { op: 'revise', before: entry, after: nextVersion(entry, { source_refs }), reason: evidenceReason };
}

/** A retired entry comes back only by a Source that was committed after its retirement. */
function bringBack(entry: AffectedEntry, { evidence }: AddProposal, input: PlanInput): EntryWrite | null {
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
  if (entry.kind === kind && entry.text === text) return support(entry, evidence, input);
  const source_refs = addEvidence(entry.source_refs, inOrder(evidence, input)) ?? entry.source_refs;
  return { op: 'revise', before: entry, after: nextVersion(entry, { kind, text, source_refs }), reason };
}

function nextVersion(entry: CurrentEntry, change: Partial<EntryRow>): EntryRow {
  return { ...entry, ...change, version: entry.version + 1, entry_version_id: newId() };
}

function inOrder(evidence: SourceRef[], { positionOf }: PlanInput): SourceRef[] {
  return [...evidence].sort((left, right) => positionOf(left) - positionOf(right));
}
