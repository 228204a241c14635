import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type {
  CommittedHandoff,
  HandoffContent,
  HandoffDraft,
  PreparedHandoff,
} from '@continuity/contract/handoff';
import type { Database, Sql } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { digestHex } from '@continuity/kernel/json';
import {
  type EvidencePlace,
  handoffRef,
  handoffRefOrNull,
  presentArtifactRef,
  requireEvidence,
  toSourceRef,
} from '../evidence/index.ts';
import { contentOfDraft, directCitations, lineageOf } from './content.ts';
import {
  findHead,
  findRevisionOfBoundary,
  type HandoffToWrite,
  type StoredHandoff,
  toLineageColumns,
  writeFirst,
  writeNext,
} from './store.ts';

/** The head, and whether its content is equal, so that no write is needed. */
type Decision = { isEqual: true; head: StoredHandoff } | { isEqual: false; head: StoredHandoff | undefined };

/**
 * Commits a Prepared Handoff as the next revision (spec 30 §3.6). Optimistic: checks without a lock and writes only if the head is
 * unchanged, so one of n concurrent commits on the same base wins.
 * Throws 409 `revision_conflict`, and 404 or 422 for the evidence.
 */
export async function commitHandoff(
  database: Database,
  place: EvidencePlace,
  { base, content }: PreparedHandoff,
): Promise<CommittedHandoff> {
  const handoff = toWrite(content);
  for (;;) {
    const { isEqual, head } = decide(await findHead(database.sql, place), base, handoff.contentDigest);
    if (isEqual) return present(head.revision, head);
    await requireEvidence(database.sql, place, directCitations(content));
    if (await write(database.lockingSql, place, head, handoff))
      return present((head?.revision ?? 0) + 1, handoff);
    // A concurrent commit has moved the head. The next iteration returns it or throws.
  }
}

/**
 * Commits the Handoff of a boundary on the head of this moment, in the caller's transaction (spec 30 §3.6.4 to 3.6.6), or returns the
 * revision that cites the boundary already. Throws 404 and 422 for evidence that is no longer readable.
 */
export async function commitBoundary(
  sql: Sql,
  place: EvidencePlace,
  boundaryId: string,
  content: HandoffContent,
): Promise<number> {
  const handoff = toWrite(content);
  for (;;) {
    // The head comes first: a commit of this boundary that it does not show is found, or moves the head before the write.
    const head = await findHead(sql, place);
    const known = await findRevisionOfBoundary(sql, place, boundaryId);
    if (known !== undefined) return known;
    await requireEvidence(sql, place, directCitations(content));
    if (await write(sql, place, head, handoff)) return (head?.revision ?? 0) + 1;
    // A concurrent commit has moved the head. The next iteration sees it.
  }
}

function decide(head: StoredHandoff | undefined, base: ArtifactRef | null, contentDigest: string): Decision {
  if (head !== undefined && head.contentDigest === contentDigest) return { isEqual: true, head };
  if (head?.revision === base?.revision) return { isEqual: false, head };
  throw serviceError('revision_conflict', {
    message: describeConflict(base, head),
    details: { expected: base, current: handoffRefOrNull(head?.revision) },
  });
}

function toWrite(content: HandoffContent): HandoffToWrite {
  return { content, contentDigest: digestHex(content), ...toLineageColumns(lineageOf(content)) };
}

function write(
  sql: Sql,
  place: EvidencePlace,
  head: StoredHandoff | undefined,
  handoff: HandoffToWrite,
): Promise<boolean> {
  return head === undefined ? writeFirst(sql, place, handoff) : writeNext(sql, place.tenantId, head, handoff);
}

function describeConflict(base: ArtifactRef | null, head: StoredHandoff | undefined): string {
  const expected = base === null ? 'No Handoff was expected' : `Revision ${base.revision} was expected`;
  const current = head === undefined ? 'there is none' : `${head.revision} is current`;
  return `${expected}, but ${current}. Continue the current Handoff and decide again.`;
}

function present(
  revision: number,
  {
    content,
    sources,
    artifacts,
  }: { content: HandoffContent; sources: SourceTypeRef[]; artifacts: ArtifactRef[] },
): CommittedHandoff {
  return {
    reference: handoffRef(revision),
    content,
    source_refs: sources.map(toSourceRef),
    artifact_refs: artifacts.map(presentArtifactRef),
  };
}

/** Prepares a draft for a commit on the current head. Stores nothing (spec 30 §3.5). Throws 404 or 422 for the evidence. */
export function finalizeHandoff(
  database: Database,
  place: EvidencePlace,
  draft: HandoffDraft,
): Promise<PreparedHandoff> {
  const content = contentOfDraft(draft);
  return database.snapshot(async (sql) => {
    const [head] = await Promise.all([
      findHead(sql, place),
      requireEvidence(sql, place, directCitations(content)),
    ]);
    return prepare(place.scopeId, head?.revision, content);
  });
}

/** Creates a Prepared Handoff on the given head, if any. */
export function prepare(scopeId: string, head: number | undefined, content: HandoffContent): PreparedHandoff {
  return {
    schema: 'service.prepared-handoff.v1',
    scope_id: scopeId,
    base: handoffRefOrNull(head),
    content,
  };
}
