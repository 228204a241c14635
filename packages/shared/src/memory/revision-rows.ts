import type { ArtifactRef, SourceRef, SourceTypeRef } from '@continuity/contract';
import type { ChangeOp } from '@continuity/contract/memory';
import { type Projection, projectText, termDeltas } from '../search/index.ts';
import { entryContentHash } from './content-hash.ts';
import type { EntryRow } from './entry.ts';
import { equalityHash } from './equality.ts';
import type { LockedMemory } from './head.ts';

/** An entry as it stands at the head, with its projection when it is active. */
export interface CurrentEntry extends EntryRow {
  terms: number[] | null;
  length: number | null;
}

/** What one revision does to one entry. */
export interface EntryWrite {
  op: ChangeOp;
  /** The entry at the head before; null for an add. */
  before: CurrentEntry | null;
  after: EntryRow;
  reason: string | null;
}

/** Which Sources and Artifacts the revision was made from. */
export interface Lineage {
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  /** 64 hex digits, where the writer has to answer them; else the first read computes them (spec 20 M8). */
  contentDigest?: string;
}

/** A revision as rows, ready to be written in one statement. */
export interface RevisionRows {
  memory: LockedMemory;
  revision: number;
  lineage: Lineage;
  changes: ChangeRecord[];
  terms: Map<number, number>;
  /** Of all texts that it writes, as `Projection` has them. */
  languages: number;
}

/** One element of the statement's JSON parameter; field names are those of its column list. */
export interface ChangeRecord {
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
  /** Of a version that is written; null where an old one is kept. */
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
  /** Its text is another from now on, or no longer active: its vectors are of no use. */
  loses_embedding: boolean;
}

/** What a revision writes. */
export function revisionRows(memory: LockedMemory, writes: EntryWrite[], lineage: Lineage): RevisionRows {
  const projections = writes.map(({ after }) => (after.active ? projectText(memory, after.text) : null));
  const changes = writes.map((write, index) => changeRecord(write, projections[index] ?? null));
  const terms = termDeltas(
    writes.map(({ before }) => before?.terms ?? []),
    projections.map((projection) => projection?.terms ?? []),
  );
  const languages = projections.reduce((all, projection) => all | (projection?.languages ?? 0), 0);
  return { memory, revision: memory.headRevision + 1, lineage, changes, terms, languages };
}

function changeRecord(
  { op, before, after, reason }: EntryWrite,
  projection: Projection | null,
): ChangeRecord {
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
  };
}

function nullIfEmpty<T>(items: T[] | null): T[] | null {
  return items === null || items.length === 0 ? null : items;
}
