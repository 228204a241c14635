import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
} from '@continuity/kernel/database';
import { invalidRequest, type ServiceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';
import { entryInactive, memoryNotFound, revisionConflict } from './conflicts.ts';
import {
  citationOf,
  currentColumns,
  currentRow,
  type EntryRow,
  joinVersion,
  scopeMemoryId,
} from './entry.ts';
import { reviseFields } from './entry-writes.ts';
import type { LockedMemory } from './head.ts';
import type { EntryWrite } from './revision-rows.ts';

/**
 * The cited entries as they are at the head, each looked up by its key; no row for a citation that its revision does not hold.
 * `now` is the commit time, which no later request precedes: all times are those of the database.
 */
const findCitedStatement = statement(
  'find_entries_to_supersede',
  `SELECT given.place::int, date_trunc('milliseconds', clock_timestamp()) AS now, ${currentColumns}
   FROM unnest($3::int[], $4::uuid[], $5::uuid[]) WITH ORDINALITY AS given(revision, entry_id, entry_version_id, place)
   CROSS JOIN LATERAL (
     SELECT c.version, c.valid_to FROM memory_states c
     WHERE c.tenant_id = $1 AND c.artifact_key = $2 AND c.entry_id = given.entry_id AND c.valid_from <= given.revision
     ORDER BY c.valid_from DESC LIMIT 1
   ) AS cited
   CROSS JOIN LATERAL (
     SELECT FROM memory_versions c
     WHERE c.tenant_id = $1 AND c.artifact_key = $2 AND c.entry_id = given.entry_id AND c.version = cited.version
       AND c.entry_version_id = given.entry_version_id
     ${optimizationFence}
   ) AS version
   CROSS JOIN LATERAL (
     SELECT * FROM memory_states s
     WHERE s.tenant_id = $1 AND s.artifact_key = $2 AND s.entry_id = given.entry_id AND s.valid_to IS NULL
     ${optimizationFence}
   ) AS s
   ${joinVersion}
   WHERE cited.valid_to IS NULL OR cited.valid_to > given.revision`,
  { place: column.integer, now: column.timestamptz, ...currentRow },
);

type CitedEntry = RowOfStatement<typeof findCitedStatement>;

/** The entries that a new statement takes the place of. */
export interface Superseded {
  citations: readonly MemoryCitation[];
  /** In the order of the citations; undefined for one that the Scope Memory does not hold. */
  entries: (CitedEntry | undefined)[];
}

/** Reads the entries that a request cites as superseded, under the lock of the head (spec 26 R6). */
export async function findSuperseded(
  sql: Sql,
  { tenantId, artifactKey, headRevision }: LockedMemory,
  citations: readonly MemoryCitation[],
): Promise<Superseded> {
  const known = citations.map(({ memory_ref: ref, entry_id, entry_version_id }) => {
    const isHeld =
      ref.family === 'memory' && ref.artifact_id === scopeMemoryId && ref.revision <= headRevision;
    return isHeld && isServerId(entry_id) && isServerId(entry_version_id)
      ? { revision: ref.revision, entry_id, entry_version_id }
      : { revision: null, entry_id: null, entry_version_id: null };
  });
  const rows = await sql.rows(findCitedStatement, [
    tenantId,
    artifactKey,
    known.map(({ revision }) => revision),
    known.map(({ entry_id }) => entry_id),
    known.map(({ entry_version_id }) => entry_version_id),
  ]);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return { citations, entries: citations.map((_, index) => byPlace.get(index + 1)) };
}

/**
 * Ends each entry at `start`, and names `successor` on it; no write for one that it supersedes already (spec 26 R6 to R8).
 *
 * @throws 422 at `supersedes[i]`, 404 `memory_not_found`, 409 `memory_entry_inactive` and `revision_conflict`, for the first citation
 *   that has one of these faults
 */
export function supersede(
  { citations, entries }: Superseded,
  {
    start,
    successor,
    head,
    reason,
  }: { start: Date; successor: EntryRow; head: ArtifactRef; reason: string | null },
): EntryWrite[] {
  const seen = new Set<string>();
  return citations.flatMap((citation, index) => {
    if (seen.has(citation.entry_id)) throw faulty(index, 'is an entry that is named twice');
    seen.add(citation.entry_id);
    const entry = entries[index];
    if (entry === undefined) throw memoryNotFound();
    const fault = faultOf(entry, start, successor);
    if (fault !== undefined) throw faulty(index, fault);
    if (!entry.active) throw entryInactive(entry.entry_id, head);
    if (entry.superseded_by === successor.entry_id) return [];
    if (entry.entry_version_id !== citation.entry_version_id) {
      throw revisionConflict(citation.memory_ref.revision, head, citationOf(head, entry));
    }
    return [endAt(entry, start, successor, reason)];
  });
}

function faultOf({ entry_id, holds_from }: CitedEntry, start: Date, successor: EntryRow): string | undefined {
  if (entry_id === successor.entry_id) return 'is the entry of this statement itself';
  const began = holds_from !== null && holds_from >= start;
  return began ? 'began at or after the start of the new statement' : undefined;
}

/** An entry that had ended before keeps its end. */
function endAt(cited: CitedEntry, start: Date, successor: EntryRow, reason: string | null): EntryWrite {
  const { place: _place, now: _now, ...entry } = cited;
  const { holds_until } = entry;
  const end = holds_until !== null && holds_until <= start ? holds_until : start;
  return reviseFields(entry, { holds_until: end, superseded_by: successor.entry_id }, reason);
}

function faulty(index: number, message: string): ServiceError {
  return invalidRequest([{ path: `supersedes[${index}]`, message }]);
}
