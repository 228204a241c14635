import type { EntryChange, ManifestEntry, MemoryContent } from '@continuity/contract/memory';
import {
  type ArtifactKey,
  column,
  hashHex,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/shared/kernel';
import { entryContentHash } from './content-hash.ts';
import { type ChangeRow, changeColumns, changeRow, joinChangedVersions } from './entry.ts';
import type { EntryWrite } from './revision-rows.ts';

/** An existing revision of a Memory Artifact. It is immutable, so several statements can read it without a snapshot. */
export interface MemoryRevision {
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
export async function readManifest(sql: Sql, of: MemoryRevision): Promise<ManifestEntry[]> {
  const rows = await sql.rows(manifestStatement, [of.tenantId, of.artifactKey, of.revision]);
  return rows.map(({ active, ...row }) => manifestEntry(row, active));
}

/** Reads the content of a revision (spec 20 M8). */
export async function readContent(sql: Sql, of: MemoryRevision): Promise<MemoryContent> {
  const [entries, changes] = await Promise.all([
    readManifest(sql, of),
    sql.rows(changesStatement, [of.tenantId, of.artifactKey, of.revision]),
  ]);
  return contentOf(entries, changes.map(toChange));
}

/** Computes the content of the next revision from the current manifest and the writes. */
export function contentAfter(manifest: ManifestEntry[], writes: EntryWrite[]): MemoryContent {
  const written = new Map(writes.map((write) => [write.after.entry_id, write]));
  const existing = manifest.map((entry) => {
    const write = written.get(entry.entry_id);
    return write === undefined ? entry : toManifestEntry(write);
  });
  const added = writes.filter(({ before }) => before === null).map(toManifestEntry);
  // Ids are time-ordered apart from clock skew between hosts, so the list is nearly sorted.
  return contentOf([...existing, ...added].sort(byEntryId), writes.map(toChange).sort(byEntryId));
}

/**
 * SHA-256 over the canonical JSON, as 64 hex digits. This file creates every object with its keys in canonical order, so
 * `JSON.stringify` is canonical here, five times as fast as a general canonicalizer on a large manifest.
 */
export function contentDigest(content: MemoryContent): string {
  return hashHex(JSON.stringify(content));
}

function contentOf(entries: ManifestEntry[], changes: EntryChange[]): MemoryContent {
  return { changes, manifest: { entries, format: 'flat-v1' }, schema: 'service.memory.v1' };
}

function manifestEntry(
  { entry_content_hash, entry_id, entry_version_id }: Omit<ManifestEntry, 'state'>,
  active: boolean,
): ManifestEntry {
  return { entry_content_hash, entry_id, entry_version_id, state: active ? 'active' : 'inactive' };
}

function toManifestEntry({ after }: EntryWrite): ManifestEntry {
  return manifestEntry({ ...after, entry_content_hash: entryContentHash(after) }, after.active);
}

function toChange(change: EntryWrite | ChangeRow): EntryChange {
  const { op, reason, entry_id, from_entry_version_id, to_entry_version_id } =
    'after' in change ? changeOf(change) : change;
  return { entry_id, from_entry_version_id, op, reason, to_entry_version_id };
}

function changeOf({ op, before, after, reason }: EntryWrite): ChangeRow {
  return {
    op,
    entry_id: after.entry_id,
    from_entry_version_id: op === 'revise' || op === 'deactivate' ? (before?.entry_version_id ?? null) : null,
    to_entry_version_id: op === 'deactivate' ? null : after.entry_version_id,
    reason,
  };
}

function byEntryId(left: { entry_id: string }, right: { entry_id: string }): number {
  return left.entry_id < right.entry_id ? -1 : 1;
}
