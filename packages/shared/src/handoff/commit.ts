import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { CommittedHandoff, HandoffContent, PreparedHandoff } from '@continuity/contract/handoff';
import { type Database, digestHex, serviceError } from '@continuity/shared/kernel';
import { type EvidencePlace, requireEvidence } from '../evidence/index.ts';
import { directCitations, lineageOf } from './content-rules.ts';
import { handoffRef, handoffRefOrNull } from './reference.ts';
import {
  findHead,
  type HandoffToWrite,
  keptLineage,
  type StoredHandoff,
  writeFirst,
  writeNext,
} from './store.ts';

/** What to write on which head, or the head that has it already. */
type Verdict = { isKept: true; head: StoredHandoff } | { isKept: false; head: StoredHandoff | undefined };

/**
 * Commits a Prepared Handoff as the next revision (spec 30 §3.6): of n commits on one base exactly one wins. All is decided
 * on what was read before any lock, and written only if the head is still that one: evidence that is readable stays so,
 * and a revision never changes. Throws 409 `revision_conflict`, 404 and 422 of the evidence.
 */
export async function commitHandoff(
  database: Database,
  place: EvidencePlace,
  { base, content }: PreparedHandoff,
): Promise<CommittedHandoff> {
  const contentDigest = digestHex(content);
  const handoff = { content, contentDigest, ...keptLineage(lineageOf(content)) };
  for (;;) {
    const { isKept, head } = judge(await findHead(database.sql, place), base, contentDigest);
    if (isKept) return present(head.revision, head);
    await requireEvidence(database.sql, place, directCitations(content));
    if (await write(database, place, head, handoff)) return present((head?.revision ?? 0) + 1, handoff);
    // Another one was faster: what the caller's base was is the head no more, so that the next round answers.
  }
}

function judge(head: StoredHandoff | undefined, base: ArtifactRef | null, contentDigest: string): Verdict {
  if (head !== undefined && head.contentDigest === contentDigest) return { isKept: true, head };
  if (head?.revision === base?.revision) return { isKept: false, head };
  throw serviceError('revision_conflict', {
    message: describeConflict(base, head),
    details: { expected: base, current: handoffRefOrNull(head?.revision) },
  });
}

function write(
  { sql }: Database,
  place: EvidencePlace,
  head: StoredHandoff | undefined,
  handoff: HandoffToWrite,
): Promise<boolean> {
  return head === undefined
    ? writeFirst(sql.rows, place, handoff)
    : writeNext(sql.rows, place.tenantId, head, handoff);
}

function describeConflict(base: ArtifactRef | null, head: StoredHandoff | undefined): string {
  const expected = base === null ? 'No Handoff was expected' : `Revision ${base.revision} was expected`;
  const current = head === undefined ? 'there is none' : `${head.revision} is current`;
  return `${expected}, but ${current}. Continue from the current one and decide again.`;
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
    source_refs: sources.map(({ source_type, source_id }) => ({ name: source_type, source_id })),
    // Rows keep references as `jsonb`, which orders keys its own way.
    artifact_refs: artifacts.map(({ family, artifact_id, revision: cited }) => ({
      family,
      artifact_id,
      revision: cited,
    })),
  };
}
