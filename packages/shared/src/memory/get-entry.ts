import type { MemoryCitation } from '@continuity/contract';
import type { MemoryEntry } from '@continuity/contract/memory';
import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { scopeKey } from '../scopes/index.ts';
import { memoryNotFound } from './conflicts.ts';
import { entryColumns, entryRow, joinVersion, presentEntry } from './entry.ts';

/** A revision holds the last state of an entry that began at or before it, unless that state ended. */
const getStatement = statement(
  'get_memory_entry',
  `SELECT ${entryColumns}
   FROM artifacts a
   CROSS JOIN LATERAL (
     SELECT * FROM memory_states s
     WHERE s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.entry_id = $5
       AND s.valid_from <= $4::bigint
     ORDER BY s.valid_from DESC LIMIT 1
   ) AS s
   ${joinVersion}
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
     AND a.head_revision >= $4::bigint AND (s.valid_to IS NULL OR s.valid_to > $4::bigint)
     AND v.entry_version_id = $6`,
  entryRow,
);

/** Reads the cited entry of the cited revision (spec 20 L1). Throws 404 `memory_not_found`. */
export async function getEntry(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  citation: MemoryCitation,
): Promise<MemoryEntry> {
  const { memory_ref: ref, entry_id, entry_version_id } = citation;
  const canExist = ref.family === 'memory' && isServerId(entry_id) && isServerId(entry_version_id);
  if (!canExist) throw memoryNotFound();
  const values = [tenantId, scopeId, ref.artifact_id, ref.revision, entry_id, entry_version_id];
  const row = await sql.first(getStatement, values);
  if (row === undefined) throw memoryNotFound();
  return presentEntry(ref, row);
}
