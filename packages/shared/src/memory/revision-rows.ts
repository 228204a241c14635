import type { ArtifactRef, SourceRef, SourceTypeRef } from '@continuity/contract';
import type { ChangeOp } from '@continuity/contract/memory';
import type { Steps } from '@continuity/kernel/fairness';
import { type Projection, projectSteps, type TextProjections, termDeltas } from '../search/index.ts';
import type { EntryRow } from './entry.ts';
import { entryContentHash, equalityHash } from './equality.ts';
import type { LockedMemory } from './head.ts';
import { hasValidity } from './validity.ts';

/** An entry at the head, with its index terms if it is active. */
export interface CurrentEntry extends EntryRow {
  terms: number[] | null;
  length: number | null;
  /** Whether it had ended when it was written, so that the index has it apart. */
  ended: boolean;
}

/** The change of one entry in a revision. */
export interface EntryWrite {
  op: ChangeOp;
  /** The entry at the previous head; null for an add. */
  before: CurrentEntry | null;
  after: EntryRow;
  reason: string | null;
}

/** Sources and Artifacts that a revision derives from. */
export interface Lineage {
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  /** 64 hex digits, if the response needs the digest; else the first read computes it (spec 20 M8). */
  contentDigest?: string;
}

/** Parameters of the statement that writes a revision. */
export interface RevisionRows {
  memory: LockedMemory;
  revision: number;
  lineage: Lineage;
  /** JSON of an array of `ChangeRecord`. */
  changes: string;
  terms: Map<number, number>;
  /** Bit mask of the languages of all written texts, as in `Projection`. */
  languages: number;
  /** Whether an entry has validity, or had ended: the statement for other revisions does less. */
  hasValidity: boolean;
}

/** One element of the statement's JSON parameter. The field names match its column list. */
interface ChangeRecord {
  op: ChangeOp;
  entry_id: string;
  from_version: number | null;
  to_version: number | null;
  version: number;
  writes_version: boolean;
  entry_version_id: string;
  kind: string;
  text: string;
  source_refs: SourceRef[] | null;
  artifact_refs: ArtifactRef[] | null;
  /** Null if the change writes no version. */
  content_hash: string | null;
  active: boolean;
  equality_hash: number;
  terms: number[] | null;
  term_frequencies: number[] | null;
  length: number | null;
  reason: string | null;
  before_kind: string | null;
  before_active: boolean | null;
  before_length: number | null;
  /** Whether to delete the vectors, because the text changes or the entry is deactivated. */
  loses_embedding: boolean;
  holds_from?: Date | null;
  holds_until?: Date | null;
  superseded_by?: string | null;
  before_ended?: boolean;
  /** Of an entry that had ended. */
  before_terms?: number[] | null | undefined;
}

/** Converts writes into the rows of a revision, with index terms and counter changes, in steps. Texts in `known` are analyzed. */
export function* revisionRows(
  memory: LockedMemory,
  writes: EntryWrite[],
  lineage: Lineage,
  known: TextProjections,
): Steps<RevisionRows> {
  const projections: (Projection | null)[] = [];
  const changes: string[] = [];
  for (const write of writes) {
    const { active, text } = write.after;
    const projection = active ? (known.get(text) ?? (yield* projectSteps(memory, text))) : null;
    projections.push(projection);
    changes.push(JSON.stringify(changeRecord(write, projection)));
    yield;
  }
  const terms = yield* termDeltas(
    writes.map(({ before }) => before?.terms ?? []),
    projections.map((projection) => projection?.terms ?? []),
  );
  const languages = projections.reduce((all, projection) => all | (projection?.languages ?? 0), 0);
  const revision = memory.headRevision + 1;
  const values = { memory, revision, lineage, changes: `[${changes.join(',')}]`, terms, languages };
  return { ...values, hasValidity: writes.some(concernsValidity) };
}

function concernsValidity({ before, after }: EntryWrite): boolean {
  return hasValidity(after) || before?.ended === true;
}

function changeRecord(write: EntryWrite, projection: Projection | null): ChangeRecord {
  const { op, before, after, reason } = write;
  const writesVersion = after.version !== before?.version;
  const hasFrom = op === 'revise' || op === 'deactivate';
  return {
    op,
    entry_id: after.entry_id,
    from_version: hasFrom ? (before?.version ?? null) : null,
    to_version: op === 'deactivate' ? null : after.version,
    version: after.version,
    writes_version: writesVersion,
    entry_version_id: after.entry_version_id,
    kind: after.kind,
    text: after.text,
    source_refs: nullIfEmpty(after.source_refs),
    artifact_refs: nullIfEmpty(after.artifact_refs),
    content_hash: writesVersion ? entryContentHash(after) : null,
    active: after.active,
    equality_hash: equalityHash(after),
    terms: projection?.terms ?? null,
    term_frequencies: projection?.frequencies ?? null,
    length: projection?.length ?? null,
    reason,
    before_kind: before?.kind ?? null,
    before_active: before?.active ?? null,
    before_length: before?.length ?? null,
    loses_embedding: before?.active === true && !(after.active && after.text === before.text),
    ...(concernsValidity(write) && validityFields(write)),
  };
}

function validityFields({ before, after }: EntryWrite) {
  const { holds_from, holds_until, superseded_by } = after;
  const before_ended = before?.ended ?? false;
  return {
    holds_from,
    holds_until,
    superseded_by,
    before_ended,
    before_terms: before_ended ? before?.terms : null,
  };
}

function nullIfEmpty<T>(items: T[] | null): T[] | null {
  return items === null || items.length === 0 ? null : items;
}
