import { type Sql, statement } from '@continuity/shared/kernel';
import { entryColumns, joinVersion } from './entry.ts';
import { equalityHash } from './equality.ts';
import type { LockedMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry } from './revision-rows.ts';

/** An entry at the head that one of several writes may meet. */
export interface AffectedEntry extends CurrentEntry {
  /** Of an inactive entry: the highest Source position at its deactivation. */
  deactivated_at_position: number | null;
  valid_from: number;
}

/** What writes are about: contents that may be there already, and entries by their ids (UUIDs). */
export interface AffectedBy {
  contents: EntryContent[];
  entryIds: string[];
}

const findStatement = statement(
  'find_affected_entries',
  `SELECT ${entryColumns}, s.terms, s.length, s.valid_from, ch.source_watermark AS deactivated_at_position
   FROM (
     SELECT * FROM memory_states
     WHERE tenant_id = $1 AND artifact_key = $2 AND valid_to IS NULL AND equality_hash = ANY ($3::bigint[])
     UNION
     SELECT * FROM memory_states
     WHERE tenant_id = $1 AND artifact_key = $2 AND valid_to IS NULL AND entry_id = ANY ($4::uuid[])
   ) AS s
   ${joinVersion}
   LEFT JOIN memory_changes ch ON NOT s.active AND ch.tenant_id = s.tenant_id AND ch.artifact_key = s.artifact_key
     AND ch.revision = s.valid_from AND ch.entry_id = s.entry_id
   ORDER BY s.entry_id`,
);

/** Ascending by `entry_id`. An entry may be found by a hash alone: whether it is equal is the caller's to decide. */
export function findAffected(
  sql: Sql,
  { tenantId, artifactKey }: Pick<LockedMemory, 'tenantId' | 'artifactKey'>,
  { contents, entryIds }: AffectedBy,
): Promise<AffectedEntry[]> {
  return sql.rows<AffectedEntry>(findStatement, [
    tenantId,
    artifactKey,
    contents.map(equalityHash),
    entryIds,
  ]);
}

/** Of inactive entries, the one that was deactivated last. */
export function deactivatedLast(entries: AffectedEntry[]): AffectedEntry | undefined {
  return entries.reduce<AffectedEntry | undefined>(
    (best, entry) => (best === undefined || entry.valid_from > best.valid_from ? entry : best),
    undefined,
  );
}
