import {
  type ArtifactKey,
  type Database,
  optimizationFence,
  pick,
  statement,
  tables,
} from '@continuity/kernel/database';
import { hexOf, isWithoutPgvector, quantize } from '../../search/index.ts';
import type { PendingEntry } from './pending.ts';
import type { EmbeddingScope } from './profile.ts';

export type EmbeddedEntry = PendingEntry & { vector: Float32Array };

/** Limit of vectors per transaction. It blocks the writers of the Memory, and each insert into an HNSW index takes milliseconds. */
const vectorsAtOnce = 16;

/** Blocks writers of the Memory, so that no entry is retired between the read of its state and the commit of its vector. */
const lockHeadShared = statement(
  'lock_memory_head_shared',
  'SELECT FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR SHARE',
);

/** Runs after the lock, so that its snapshot includes all committed writes. Counts only inserted vectors. */
const addVectors = statement(
  'add_memory_embeddings',
  `WITH given AS (
     SELECT * FROM unnest($5::uuid[], $6::int[], $7::text[], $8::text[]) AS g(entry_id, version, vector, quantized)
   ), added AS (
     INSERT INTO memory_embeddings (tenant_id, scope_key, profile_key, artifact_key, entry_id, embedding, quantized)
     SELECT $1, $2, CASE WHEN s.ended THEN -$3::int ELSE $3 END, $4, g.entry_id, g.vector::real[],
            CASE WHEN ${isWithoutPgvector} THEN decode(g.quantized, 'hex') END
     FROM given g CROSS JOIN LATERAL (
       SELECT s.ended FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = $4 AND s.entry_id = g.entry_id
         AND s.valid_to IS NULL AND s.active AND s.version = g.version
       ${optimizationFence}
     ) AS s
     ON CONFLICT DO NOTHING
     RETURNING profile_key
   ), resolved AS (
     DELETE FROM failed_embeddings f USING given g
     WHERE f.tenant_id = $1 AND f.scope_key = $2 AND f.profile_key = $3 AND f.artifact_key = $4
       AND f.entry_id = g.entry_id
   )
   INSERT INTO memory_embedding_totals AS t (tenant_id, scope_key, profile_key, embedded, is_quantized)
   SELECT $1, $2, p.profile_key, count(a.profile_key), ${isWithoutPgvector}
   FROM (VALUES ($3::int), (-$3::int)) AS p(profile_key) LEFT JOIN added a USING (profile_key)
   GROUP BY p.profile_key HAVING p.profile_key = $3 OR count(a.profile_key) > 0 ORDER BY p.profile_key
   ON CONFLICT (tenant_id, scope_key, profile_key) DO UPDATE SET
     embedded = t.embedded + excluded.embedded, failed_runs = 0,
     is_quantized = t.is_quantized AND excluded.is_quantized
   RETURNING profile_key, embedded`,
  pick(tables.memory_embedding_totals, 'profile_key', 'embedded'),
);

/**
 * Stores the vectors of entries that are still active with the embedded text, and ignores the others and duplicates. Returns the
 * number of vectors of the Scope that a search reads, without those of ended entries.
 */
export async function storeVectors(
  database: Database,
  scope: EmbeddingScope,
  entries: EmbeddedEntry[],
): Promise<number> {
  let total = 0;
  for (const [artifactKey, ofMemory] of byMemory(entries)) {
    for (let from = 0; from < ofMemory.length; from += vectorsAtOnce) {
      total = await storeSome(database, scope, artifactKey, ofMemory.slice(from, from + vectorsAtOnce));
    }
  }
  return total;
}

async function storeSome(
  database: Database,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  artifactKey: ArtifactKey,
  entries: EmbeddedEntry[],
): Promise<number> {
  const values = [
    tenantId,
    scopeKey,
    profileKey,
    artifactKey,
    entries.map(({ entryId }) => entryId),
    entries.map(({ version }) => version),
    entries.map(({ vector }) => arrayLiteral(vector)),
    entries.map(({ vector }) => hexOf(quantize(vector))),
  ];
  return await database.transaction(async (sql) => {
    const locked = sql.rows(lockHeadShared, [tenantId, artifactKey]);
    const [, rows] = await Promise.all([locked, sql.commitWith(addVectors, values)]);
    return rows.find((row) => row.profile_key === profileKey)?.embedded ?? 0;
  });
}

function byMemory(entries: EmbeddedEntry[]): Map<ArtifactKey, EmbeddedEntry[]> {
  return Map.groupBy(entries, ({ artifactKey }) => artifactKey);
}

/** Literal of a PostgreSQL `real[]`. Nine digits represent single precision exactly. */
function arrayLiteral(vector: Float32Array): string {
  return `{${Array.from(vector, (value) => value.toPrecision(9)).join(',')}}`;
}
