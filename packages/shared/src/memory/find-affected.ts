import { column, type RowOfStatement, type Sql, statement, tables } from '@continuity/kernel/database';
import { currentColumns, currentRow, hasEnded, joinVersion } from './entry.ts';
import { equalityHash } from './equality.ts';
import type { LockedMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';

/** Contents and entry ids (UUIDs) of the writes. */
interface AffectedBy {
  contents: EntryContent[];
  entryIds: string[];
}

const findStatement = statement(
  'find_affected_entries',
  `SELECT ${currentColumns}, s.valid_from, ${hasEnded} AS has_ended, ch.source_watermark AS deactivated_at_position
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
  {
    ...currentRow,
    /** Whether the statement no longer holds. */
    has_ended: column.boolean,
    /** Of an inactive entry: the highest Source position at its deactivation. */
    deactivated_at_position: tables.memory_changes.source_watermark,
    valid_from: tables.memory_states.valid_from,
  },
);

/** An entry at the head that one of several writes may meet. */
export type AffectedEntry = RowOfStatement<typeof findStatement>;

/**
 * Finds entries by id or by the hash of their content, ascending by `entry_id`. Hashes can collide, so the caller must compare
 * the content.
 */
export function findAffected(
  sql: Sql,
  { tenantId, artifactKey }: Pick<LockedMemory, 'tenantId' | 'artifactKey'>,
  { contents, entryIds }: AffectedBy,
): Promise<AffectedEntry[]> {
  return sql.rows(findStatement, [tenantId, artifactKey, contents.map(equalityHash), entryIds]);
}

/** The most recently deactivated of some inactive entries. */
export function lastDeactivated(entries: AffectedEntry[]): AffectedEntry | undefined {
  return entries.reduce<AffectedEntry | undefined>(
    (best, entry) => (best === undefined || entry.valid_from > best.valid_from ? entry : best),
    undefined,
  );
}
