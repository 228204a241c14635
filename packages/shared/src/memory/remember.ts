import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { MemoryMutation } from '@continuity/contract/memory';
import type { Database, Sql, TenantId, Transaction } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { toSourceTypeRef } from '../evidence/index.ts';
import { findSourcePlaces } from '../sources/index.ts';
import { commitRevision } from './commit-revision.ts';
import { memoryNotFound, revisionConflict } from './conflicts.ts';
import { type EntryRow, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';
import { addEntry, reactivateVersion, reactivateWithEvidence, reviseFields } from './entry-writes.ts';
import { isEqualContent } from './equality.ts';
import { addEvidence, evidenceReason } from './evidence.ts';
import { findAffected, lastDeactivated } from './find-affected.ts';
import { findEqual } from './find-current.ts';
import { ensureLockedMemory, type LockedMemory, lockMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';

interface Remember {
  tenantId: TenantId;
  scopeId: string;
  /** Normalized. */
  content: EntryContent;
  reason: string | null;
  expectedRevision: number | null;
  /** The evidence, each Source once. */
  sourceRefs?: readonly SourceRef[];
}

/**
 * Stores one entry in the Scope Memory, or returns an equal active one with the evidence (spec 20 R1 to R5, spec 70 §1.2). Two round trips without
 * evidence: lock and read, then write and commit.
 *
 * @throws 404 `memory_not_found` and 409 `revision_conflict` for `expectedRevision`; then 404 `source_not_found` and 422
 *   `source_not_eligible` for the first such Source
 */
export function remember(
  database: Pick<Database, 'transaction'>,
  request: Remember,
): Promise<MemoryMutation> {
  return database.transaction(async (sql) => {
    const { tenantId, scopeId, content, expectedRevision } = request;
    const address = { tenantId, scopeId, artifactId: scopeMemoryId };
    // Pipelined: the second statement starts once the first holds the lock, so it sees all commits before the lock.
    const [locked, equal] = await Promise.all([
      lockMemory(sql, tenantId, scopeId, scopeMemoryId),
      findEqual(sql, address, content),
    ]);
    if (locked !== undefined) return decide(sql, request, locked, equal);
    if (expectedRevision !== null) throw memoryNotFound();
    // Before the Memory is created, because an unknown Source may name an unknown Scope.
    await readEvidence(sql, request);
    const created = await ensureLockedMemory(sql, tenantId, scopeId);
    return decide(sql, request, created, await findEqual(sql, address, content));
  });
}

async function decide(
  sql: Transaction,
  request: Remember,
  memory: LockedMemory,
  equal: CurrentEntry | undefined,
): Promise<MemoryMutation> {
  const { expectedRevision } = request;
  const head = memoryRef(memory.artifactId, memory.headRevision);
  if (expectedRevision !== null && expectedRevision !== memory.headRevision) {
    throw revisionConflict(expectedRevision, head);
  }
  const evidence = await readEvidence(sql, request);
  const write = await chooseWrite(sql, request, memory, equal, evidence);
  if ('unchanged' in write) return answer(head, write.unchanged);
  const lineage = { sources: (request.sourceRefs ?? []).map(toSourceTypeRef), artifacts: [] };
  const revision = await commitRevision(sql, memory, [write], lineage);
  return answer(memoryRef(memory.artifactId, revision), write.after);
}

function answer(memory: ArtifactRef, entry: EntryRow): MemoryMutation {
  return { memory, entry: presentEntry(memory, entry) };
}

/** The evidence of a request, with the position of its newest Source; null without any. */
interface Evidence {
  /** Ascending by position. */
  refs: SourceRef[];
  lastPosition: number;
}

async function readEvidence(
  sql: Sql,
  { tenantId, scopeId, sourceRefs = [] }: Remember,
): Promise<Evidence | null> {
  const places = await findSourcePlaces(sql, tenantId, scopeId, sourceRefs);
  const placed = sourceRefs.map((ref, index) => {
    const place = places[index];
    if (place === undefined) throw serviceError('source_not_found', { details: { source_ref: ref } });
    if (place.isLineageOnly) throw serviceError('source_not_eligible', { details: { source_ref: ref } });
    return { ref, position: place.position };
  });
  placed.sort((left, right) => left.position - right.position);
  const last = placed.at(-1);
  return last === undefined ? null : { refs: placed.map(({ ref }) => ref), lastPosition: last.position };
}

/** The write, or the entry that stays as it is (spec 20 R3, spec 70 §1.2). */
async function chooseWrite(
  sql: Sql,
  { content, reason }: Remember,
  memory: LockedMemory,
  equal: CurrentEntry | undefined,
  evidence: Evidence | null,
): Promise<EntryWrite | { unchanged: EntryRow }> {
  if (equal === undefined) return addEntry(content, reason, evidence && addEvidence(null, evidence.refs));
  const more = evidence && addEvidence(equal.source_refs, evidence.refs);
  if (equal.active) {
    return more === null ? { unchanged: equal } : reviseFields(equal, { source_refs: more }, evidenceReason);
  }
  if (evidence === null) return reactivateVersion(equal, reason);
  const retiredAt = await readRetirement(sql, memory, content);
  if (evidence.lastPosition <= retiredAt) return { unchanged: equal };
  return more === null ? reactivateVersion(equal, reason) : reactivateWithEvidence(equal, more, reason);
}

/** The highest position of a Source when the last entry with this content was retired. */
async function readRetirement(sql: Sql, memory: LockedMemory, content: EntryContent): Promise<number> {
  const affected = await findAffected(sql, memory, { contents: [content], entryIds: [] });
  const retired = lastDeactivated(affected.filter((entry) => isEqualContent(entry, content)));
  return retired?.deactivated_at_position ?? 0;
}
