import { type Sql, statement } from '@continuity/shared/kernel';
import { entryColumns, joinVersion } from '../entry.ts';
import { equalityHash } from '../equality.ts';
import type { Proposal } from '../extraction/index.ts';
import type { LockedMemory } from '../head.ts';
import type { CurrentEntry } from '../revision-rows.ts';

/** An entry at the head that a proposal may meet. */
export interface AffectedEntry extends CurrentEntry {
  /** Of an inactive entry: the highest Source position at its deactivation. */
  deactivated_at_position: number | null;
  valid_from: number;
}

/** Entries with the content of one of the adds, or with the id of one of the revises. */
const findStatement = statement(
  'find_flush_affected_entries',
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

/** Ascending by `entry_id`. */
export function findAffected(
  sql: Sql,
  memory: LockedMemory,
  proposals: Proposal[],
): Promise<AffectedEntry[]> {
  const hashes = proposals.filter(({ op }) => op === 'add').map(equalityHash);
  const ids = proposals.flatMap((proposal) => (proposal.op === 'revise' ? [proposal.entry_id] : []));
  return sql.rows<AffectedEntry>(findStatement, [memory.tenantId, memory.artifactKey, hashes, ids]);
}
