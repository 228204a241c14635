import {
  type ArtifactKey,
  column,
  optimizationFence,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import type { EmbeddingScope } from './profile.ts';

/** An active entry without a vector. */
export interface PendingEntry {
  artifactKey: ArtifactKey;
  entryId: string;
  version: number;
  text: string;
  /** Failed attempts to embed this text. */
  failures: number;
}

/** The next entries of one Memory to embed, found through its changes. */
interface PendingWindow {
  artifactKey: ArtifactKey;
  /** Once `entries` are embedded, no entry up to this revision is left. */
  through: number;
  entries: PendingEntry[];
}

/** Limit of revisions in one window. */
const maxRevisions = 256;

/**
 * Exactly one change created each current state, so the changes after the cursor lead to every entry without a vector; a new
 * profile starts at revision 0. Skips failed texts, which `readRetries` covers, and deletes the failures of retired entries. An
 * entry that is active again keeps its failure, so that it is still retried.
 *
 * OFFSET 0 and the array make each step a look-up by key, whatever the statistics (docs/architecture.md, Memory).
 */
const selectPending = statement(
  'select_entries_to_embed',
  `WITH behind AS MATERIALIZED (
     SELECT a.artifact_key, coalesce(c.revision, 0) AS done, least(a.head_revision, coalesce(c.revision, 0) + ${maxRevisions}) AS through
     FROM artifacts a LEFT JOIN LATERAL (
       SELECT revision FROM memory_embedding_cursors
       WHERE tenant_id = $1 AND artifact_key = a.artifact_key AND profile_key = $3
       ${optimizationFence}
     ) AS c ON true
     WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = 'memory' AND a.head_revision > coalesce(c.revision, 0)
     ORDER BY a.artifact_key LIMIT 1
   ), retired AS (
     DELETE FROM failed_embeddings f
     WHERE f.tenant_id = $1 AND f.scope_key = $2 AND f.profile_key = $3
       AND f.artifact_key = (SELECT b.artifact_key FROM behind b)
       AND f.entry_id = ANY (ARRAY(
         SELECT ch.entry_id FROM behind b CROSS JOIN LATERAL (
           SELECT entry_id FROM memory_changes
           WHERE tenant_id = $1 AND artifact_key = b.artifact_key AND revision > b.done AND revision <= b.through
             AND op = 'deactivate'
           ${optimizationFence}
         ) AS ch))
       AND NOT EXISTS (
         SELECT FROM memory_states s WHERE s.tenant_id = $1 AND s.artifact_key = f.artifact_key AND s.entry_id = f.entry_id
           AND s.valid_to IS NULL AND s.active AND s.version = f.version
         ${optimizationFence})
   )
   SELECT b.artifact_key, b.through, e.entry_id, e.version, e.text
   FROM behind b LEFT JOIN LATERAL (
     SELECT ch.entry_id, s.version, v.text
     FROM memory_changes ch
     CROSS JOIN LATERAL (
       SELECT s.version FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = b.artifact_key AND s.entry_id = ch.entry_id
         AND s.valid_from = ch.revision AND s.valid_to IS NULL AND s.active
       ${optimizationFence}
     ) AS s
     CROSS JOIN LATERAL (
       SELECT v.text FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = b.artifact_key AND v.entry_id = ch.entry_id AND v.version = s.version
       ${optimizationFence}
     ) AS v
     WHERE ch.tenant_id = $1 AND ch.artifact_key = b.artifact_key AND ch.revision > b.done AND ch.revision <= b.through
       AND NOT EXISTS (
         SELECT FROM memory_embeddings m WHERE m.tenant_id = $1 AND m.scope_key = $2 AND m.profile_key IN ($3, -$3::int)
           AND m.artifact_key = b.artifact_key AND m.entry_id = ch.entry_id
         ${optimizationFence})
       AND NOT EXISTS (
         SELECT FROM failed_embeddings f WHERE f.tenant_id = $1 AND f.scope_key = $2 AND f.profile_key = $3
           AND f.artifact_key = b.artifact_key AND f.entry_id = ch.entry_id AND f.version = s.version
         ${optimizationFence})
     ORDER BY ch.revision LIMIT $4
   ) AS e ON true`,
  {
    artifact_key: tables.artifacts.artifact_key,
    // Null, as version and text are, in the one row of a window without entries.
    entry_id: tables.memory_changes.entry_id.orNull(),
    version: tables.memory_states.version,
    text: tables.memory_versions.text,
    through: column.integer,
  },
);

/** Reads up to `limit` entries of one Memory without a vector; undefined if the cursors of all Memories are at the head. */
export async function readPending(
  sql: Sql,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  limit: number,
): Promise<PendingWindow | undefined> {
  const values = [tenantId, scopeKey, profileKey, limit];
  const rows = await sql.rows(selectPending, values);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { artifact_key: artifactKey, through } = first;
  const entries = rows.flatMap(({ entry_id, version, text }) =>
    entry_id === null ? [] : [{ artifactKey, entryId: entry_id, version, text, failures: 0 }],
  );
  return { artifactKey, through, entries };
}

const moveStatement = statement(
  'move_embedding_cursor',
  `INSERT INTO memory_embedding_cursors AS c (tenant_id, artifact_key, profile_key, revision) VALUES ($1, $2, $3, $4)
   ON CONFLICT (tenant_id, artifact_key, profile_key) DO UPDATE SET revision = greatest(c.revision, excluded.revision)`,
);

/** Moves the cursor past a window. */
export async function moveCursor(
  sql: Sql,
  { tenantId, profileKey }: EmbeddingScope,
  { artifactKey, through }: PendingWindow,
): Promise<void> {
  await sql.rows(moveStatement, [tenantId, artifactKey, profileKey, through]);
}
