import type { ArtifactRef } from '@continuity/contract';
import type { ManifestEntry, MemoryContent } from '@continuity/contract/memory';
import {
  type ArtifactKey,
  column,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { scopeKey } from '../scopes/index.ts';
import { contentOf, manifestEntry, toChange } from './artifact-content.ts';
import { changeColumns, changeRow, joinChangedVersions } from './entry.ts';

/** An existing revision of a Memory Artifact. It is immutable, so several statements can read it without a snapshot. */
interface MemoryRevision {
  tenantId: TenantId;
  artifactKey: ArtifactKey;
  revision: number;
}

/**
 * State rows that were valid at a revision: those still valid, and those closed since. Each branch uses one index. Does not
 * read the texts.
 */
const manifestStatement = statement(
  'read_memory_manifest',
  `SELECT s.entry_id, v.entry_version_id, encode(v.content_hash, 'hex') AS entry_content_hash, s.active
   FROM (
     SELECT tenant_id, artifact_key, entry_id, version, active FROM memory_states
     WHERE tenant_id = $1 AND artifact_key = $2 AND valid_to IS NULL AND valid_from <= $3
     UNION ALL
     SELECT tenant_id, artifact_key, entry_id, version, active FROM memory_states
     WHERE tenant_id = $1 AND artifact_key = $2 AND valid_to > $3 AND valid_from <= $3
   ) AS s
   JOIN memory_versions v USING (tenant_id, artifact_key, entry_id, version)
   ORDER BY s.entry_id`,
  {
    ...pick(tables.memory_states, 'entry_id', 'active'),
    entry_version_id: tables.memory_versions.entry_version_id,
    entry_content_hash: column.text,
  },
);

const changesStatement = statement(
  'read_memory_revision_changes',
  `SELECT ${changeColumns}
   FROM memory_changes ch ${joinChangedVersions}
   WHERE ch.tenant_id = $1 AND ch.artifact_key = $2 AND ch.revision = $3
   ORDER BY ch.entry_id`,
  changeRow,
);

/** Reads all entries of a revision, ascending by `entry_id`. */
export async function readManifest(
  sql: Sql,
  { tenantId, artifactKey, revision }: MemoryRevision,
): Promise<ManifestEntry[]> {
  const rows = await sql.rows(manifestStatement, [tenantId, artifactKey, revision]);
  return rows.map(({ active, ...row }) => manifestEntry(row, active));
}

/** Reads the content of a revision (spec 20 M8). */
export async function readContent(sql: Sql, memory: MemoryRevision): Promise<MemoryContent> {
  const [entries, changes] = await Promise.all([
    readManifest(sql, memory),
    sql.rows(changesStatement, [memory.tenantId, memory.artifactKey, memory.revision]),
  ]);
  return contentOf(entries, changes.map(toChange));
}

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
