import type { ArtifactRef } from '@continuity/contract';
import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { scopeKey } from '../scopes/index.ts';

/** Limit of entries of a Memory that is evidence; the newest ones (spec 40 §2.2). */
const maxEntries = 500;

/** The newest active entries of any revision: states that are still valid, and states closed since. */
const readStatement = statement(
  'read_memory_entry_texts',
  `WITH memory AS (
     SELECT a.tenant_id, a.artifact_key FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
   )
   SELECT v.text FROM (
     SELECT s.* FROM (
       (SELECT s.* FROM memory JOIN memory_states s USING (tenant_id, artifact_key)
        WHERE s.valid_to IS NULL AND s.active AND s.valid_from <= $4::bigint ORDER BY s.entry_id DESC LIMIT $5)
       UNION ALL
       (SELECT s.* FROM memory JOIN memory_states s USING (tenant_id, artifact_key)
        WHERE s.valid_to > $4 AND s.active AND s.valid_from <= $4 ORDER BY s.entry_id DESC LIMIT $5)
     ) AS s ORDER BY s.entry_id DESC LIMIT $5
   ) AS s
   JOIN memory_versions v USING (tenant_id, artifact_key, entry_id, version)
   ORDER BY s.entry_id`,
  pick(tables.memory_versions, 'text'),
);

/** Texts of the newest active entries of a Memory revision, oldest first. */
export interface EntryTexts {
  texts: string[];
  /** Whether the revision has older entries. */
  isTruncated: boolean;
}

/** Reads the texts of a Memory revision that is evidence. */
export async function readEntryTexts(
  sql: Sql,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  memory: ArtifactRef,
): Promise<EntryTexts> {
  const values = [tenantId, scopeId, memory.artifact_id, memory.revision, maxEntries + 1];
  const rows = await sql.rows(readStatement, values);
  return {
    texts: rows.slice(-maxEntries).map(({ text }) => text),
    isTruncated: rows.length > maxEntries,
  };
}
