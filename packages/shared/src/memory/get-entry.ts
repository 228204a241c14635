import type { MemoryCitation } from '@continuity/contract';
import type { MemoryEntry } from '@continuity/contract/memory';
import { type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { scopeKey } from '../scopes/index.ts';
import { memoryNotFound } from './conflicts.ts';
import { entryColumns, entryRow, joinVersion, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';
import { parseEntryShortId } from './short-id.ts';

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

/** The last state of an entry is that of the head. */
const getCurrentStatement = statement(
  'get_current_memory_entry',
  `SELECT ${entryColumns}, a.head_revision
   FROM artifacts a
   CROSS JOIN LATERAL (
     SELECT * FROM memory_states s
     WHERE s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.entry_id = $4
     ORDER BY s.valid_from DESC LIMIT 1
   ) AS s
   ${joinVersion}
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3 AND s.valid_to IS NULL`,
  { ...entryRow, head_revision: tables.artifacts.head_revision },
);

/** Reads an entry of the Scope Memory at the head (spec 20 L1). Throws 404 `memory_not_found`. */
export async function getEntryById(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  entryId: string,
): Promise<MemoryEntry> {
  if (!isServerId(entryId)) throw memoryNotFound();
  const row = await sql.first(getCurrentStatement, [tenantId, scopeId, scopeMemoryId, entryId]);
  if (row === undefined) throw memoryNotFound();
  return presentEntry(memoryRef(scopeMemoryId, row.head_revision), row);
}

/**
 * Finds the revision that wrote version $6 of entry $5, by bisection of the revisions from `low` (exclusive) to `high`: the versions of
 * an entry ascend, and version n is written by revision n at the earliest. So the number of look-ups is that of the bits of a
 * revision, however often the entry was changed.
 */
const getVersionStatement = statement(
  'get_memory_entry_version',
  `WITH RECURSIVE span AS (
     SELECT a.tenant_id, a.artifact_key, a.artifact_id, $6::int - 1 AS low, a.head_revision AS high
     FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id BETWEEN $3 AND $4
     UNION ALL
     SELECT half.tenant_id, half.artifact_key, half.artifact_id,
            CASE WHEN at.version >= $6 THEN half.low ELSE half.middle END,
            CASE WHEN at.version >= $6 THEN half.middle ELSE half.high END
     FROM (SELECT span.*, low + (high - low) / 2 AS middle FROM span WHERE high - low > 1) AS half
     LEFT JOIN LATERAL (
       SELECT s.version FROM memory_states s
       WHERE s.tenant_id = half.tenant_id AND s.artifact_key = half.artifact_key AND s.entry_id = $5
         AND s.valid_from <= half.middle
       ORDER BY s.valid_from DESC LIMIT 1
     ) AS at ON true
   )
   SELECT ${entryColumns}, span.artifact_id, s.valid_from
   FROM span
   JOIN memory_states s ON s.tenant_id = span.tenant_id AND s.artifact_key = span.artifact_key AND s.entry_id = $5
     AND s.valid_from = span.high AND s.version = $6
   ${joinVersion}
   WHERE span.high - span.low = 1`,
  {
    ...entryRow,
    artifact_id: tables.artifacts.artifact_id,
    valid_from: tables.memory_states.valid_from,
  },
);

/**
 * Reads the version of a short id, as it is in the revision that wrote it (spec 25 Q11). So the answer never changes. Throws 404
 * `memory_not_found`.
 */
export async function getEntryByShortId(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  shortId: string,
): Promise<MemoryEntry> {
  const cited = parseEntryShortId(shortId);
  if (cited === undefined) throw memoryNotFound();
  const { entryId, version, artifactIds } = cited;
  const values = [tenantId, scopeId, artifactIds.lowest, artifactIds.highest, entryId, version];
  const row = await sql.first(getVersionStatement, values);
  if (row === undefined) throw memoryNotFound();
  return presentEntry(memoryRef(row.artifact_id, row.valid_from), row);
}
