import type { ArtifactRef, MemoryCitation, SourceRef } from '@continuity/contract';
import type { MemoryMutation } from '@continuity/contract/memory';
import type { Database, Sql, TenantId, Transaction } from '@continuity/kernel/database';
import { requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { toSourceTypeRef } from '../evidence/index.ts';
import { findSourcePlaces } from '../sources/index.ts';
import { commitRevision } from './commit-revision.ts';
import { memoryNotFound, revisionConflict } from './conflicts.ts';
import { type EntryRow, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';
import { addEntry, reactivateVersion, reactivateWithEvidence, reviseFields } from './entry-writes.ts';
import { isEqualContent, isEqualEntry, type Statement } from './equality.ts';
import { addEvidence, evidenceReason } from './evidence.ts';
import { findAffected, lastDeactivated } from './find-affected.ts';
import { findEqual } from './find-current.ts';
import { ensureLockedMemory, type LockedMemory, lockMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';
import { findSuperseded, type Superseded, supersede } from './supersede.ts';
import {
  changeValidity,
  isSameValidity,
  unlimited,
  type Validity,
  type ValidityChange,
  validityIssues,
} from './validity.ts';

interface Remember {
  tenantId: TenantId;
  scopeId: string;
  /** Normalized. */
  content: EntryContent;
  reason: string | null;
  expectedRevision: number | null;
  /** When the statement holds. Absent: ever since. */
  validity?: ValidityChange;
  /** The evidence, each Source once. */
  sourceRefs?: readonly SourceRef[];
  /** The entries of the Scope Memory that the statement takes the place of. */
  supersedes?: readonly MemoryCitation[];
}

/**
 * Stores one entry in the Scope Memory, or returns an equal active one with the evidence (spec 20 R1 to R5, spec 26 R6 to R8, spec 70
 * §1.2). Two round trips without evidence and superseded entries: lock and read, then write and commit.
 *
 * @throws 404 `memory_not_found` and 409 `revision_conflict` for `expectedRevision`; then 404 `source_not_found` and 422
 *   `source_not_eligible` for the first such Source; then as `supersede` does
 */
export function remember(
  database: Pick<Database, 'transaction'>,
  request: Remember,
): Promise<MemoryMutation> {
  return database.transaction(async (sql) => {
    const { tenantId, scopeId, content, expectedRevision, supersedes = [] } = request;
    const address = { tenantId, scopeId, artifactId: scopeMemoryId };
    const validity = validityOf(request);
    // Pipelined: the second statement starts once the first holds the lock, so it sees all commits before the lock.
    const [locked, equal] = await Promise.all([
      lockMemory(sql, tenantId, scopeId, scopeMemoryId),
      findEqual(sql, address, content, validity),
    ]);
    if (locked !== undefined) return decide(sql, request, locked, equal);
    if (expectedRevision !== null) throw memoryNotFound();
    // Before the Memory is created, because an unknown Source may name an unknown Scope.
    await readEvidence(sql, request);
    if (supersedes.length > 0) throw memoryNotFound();
    const created = await ensureLockedMemory(sql, tenantId, scopeId);
    return decide(sql, request, created, await findEqual(sql, address, content, validity));
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
  const { citations, start, ...known } = await readSuperseded(sql, request, memory, equal);
  const validity = { ...validityOf(request), ...(start && { holds_from: start }) };
  const write = await chooseWrite(sql, request, validity, memory, known.equal, evidence);
  const entry = 'unchanged' in write ? write.unchanged : write.after;
  const ended =
    start === undefined || !entry.active
      ? []
      : supersede(citations, { start, successor: entry, head, reason: request.reason });
  const writes = 'unchanged' in write ? ended : [write, ...ended];
  if (writes.length === 0) return answer(head, entry);
  const lineage = { sources: (request.sourceRefs ?? []).map(toSourceTypeRef), artifacts: [] };
  const revision = await commitRevision(sql, memory, writes, lineage);
  return answer(memoryRef(memory.artifactId, revision), entry);
}

function answer(memory: ArtifactRef, entry: EntryRow): MemoryMutation {
  return { memory, entry: presentEntry(memory, entry) };
}

function validityOf({ validity = {} }: Remember): Validity {
  return changeValidity(unlimited, validity);
}

/** What a request supersedes. `start` is absent for a request that supersedes nothing. */
interface Superseding {
  citations: Superseded;
  /** When the new statement takes the place of the others (spec 26 R7). */
  start?: Date;
  /** The entry that is equal to the statement, if there is one. */
  equal: CurrentEntry | undefined;
}

const nothing: Superseded = { citations: [], entries: [] };

async function readSuperseded(
  sql: Sql,
  request: Remember,
  memory: LockedMemory,
  equal: CurrentEntry | undefined,
): Promise<Superseding> {
  const { content, supersedes = [] } = request;
  if (supersedes.length === 0) return { citations: nothing, equal };
  const citations = await findSuperseded(sql, memory, supersedes);
  const validity = validityOf(request);
  const start = validity.holds_from ?? citations.entries[0]?.now;
  if (start === undefined) throw memoryNotFound();
  if (equal === undefined && validity.holds_from === null && validity.holds_until !== null) {
    // A repeat without a start: the entry that the first request stored began at its commit.
    const found = await findAffected(sql, memory, { contents: [content], entryIds: [] });
    const successors = new Set(citations.entries.map((entry) => entry?.superseded_by));
    const known = found.find(
      (entry) =>
        entry.active &&
        successors.has(entry.entry_id) &&
        isEqualContent(entry, content) &&
        isSameValidity(entry, { ...validity, holds_from: entry.holds_from }),
    );
    if (known !== undefined) return { citations, start, equal: known };
  }
  requireNoIssues(validityIssues({ ...validity, holds_from: start }));
  return { citations, start, equal };
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

/** The write, or the entry that stays as it is (spec 20 R3, spec 70 §1.2). `validity` is that of a new entry. */
async function chooseWrite(
  sql: Sql,
  request: Remember,
  validity: Validity,
  memory: LockedMemory,
  equal: CurrentEntry | undefined,
  evidence: Evidence | null,
): Promise<EntryWrite | { unchanged: EntryRow }> {
  const { content, reason } = request;
  if (equal === undefined)
    return addEntry({ ...content, ...validity }, reason, evidence && addEvidence(null, evidence.refs));
  const more = evidence && addEvidence(equal.source_refs, evidence.refs);
  if (equal.active) {
    return more === null ? { unchanged: equal } : reviseFields(equal, { source_refs: more }, evidenceReason);
  }
  if (evidence === null) return reactivateVersion(equal, reason);
  const retiredAt = await readRetirement(sql, memory, { ...content, ...validityOf(request) });
  if (evidence.lastPosition <= retiredAt) return { unchanged: equal };
  return more === null ? reactivateVersion(equal, reason) : reactivateWithEvidence(equal, more, reason);
}

/** The highest position of a Source when the last entry with this content was retired. */
async function readRetirement(sql: Sql, memory: LockedMemory, statement: Statement): Promise<number> {
  const affected = await findAffected(sql, memory, { contents: [statement], entryIds: [] });
  const retired = lastDeactivated(affected.filter((entry) => isEqualEntry(entry, statement)));
  return retired?.deactivated_at_position ?? 0;
}
