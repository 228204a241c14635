import { type Database, pick, statement, tables } from '@continuity/shared/kernel';
import type { EmbeddingScope, PendingEntry } from './pending.ts';

export type EmbeddedEntry = PendingEntry & { vector: Float32Array };

/** Vectors of one transaction: it holds back the writers of the Memory, and an HNSW index takes milliseconds for each. */
const vectorsAtOnce = 16;

/** Writers of the Memory wait: none can retire an entry between the look at its state and the commit of its vector. */
const holdHead = statement(
  'hold_memory_head',
  'SELECT FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR SHARE',
);

/** Sent behind the lock, so that its snapshot sees what a writer committed before. Counts what it has added, and no more. */
const addVectors = statement(
  'add_memory_embeddings',
  `WITH given AS (
     SELECT * FROM unnest($5::uuid[], $6::int[], $7::text[]) AS g(entry_id, version, vector)
   ), added AS (
     INSERT INTO memory_embeddings (tenant_id, scope_key, profile_key, artifact_key, entry_id, embedding)
     SELECT $1, $2, $3, $4, g.entry_id, g.vector::real[]
     FROM given g CROSS JOIN LATERAL (
       SELECT FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = $4 AND s.entry_id = g.entry_id
         AND s.valid_to IS NULL AND s.active AND s.version = g.version
       OFFSET 0
     ) AS s
     ON CONFLICT DO NOTHING
     RETURNING entry_id
   ), forgiven AS (
     DELETE FROM failed_embeddings f USING given g
     WHERE f.tenant_id = $1 AND f.scope_key = $2 AND f.profile_key = $3 AND f.artifact_key = $4
       AND f.entry_id = g.entry_id
   )
   INSERT INTO memory_embedding_totals AS t (tenant_id, scope_key, profile_key, embedded)
   SELECT $1, $2, $3, count(*) FROM added
   ON CONFLICT (tenant_id, scope_key, profile_key) DO UPDATE SET
     embedded = t.embedded + excluded.embedded, failed_runs = 0
   RETURNING embedded`,
  pick(tables.memory_embedding_totals, 'embedded'),
);

/**
 * Keeps vectors of entries that are still active with that very text; those of others are dropped, and so is a second vector
 * of one entry. Answers how many the Scope has now.
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
  artifactKey: number,
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
  ];
  return await database.transaction(async (sql) => {
    const held = sql.rows(holdHead, [tenantId, artifactKey]);
    const [, rows] = await Promise.all([held, sql.commitWith(addVectors, values)]);
    return rows[0]?.embedded ?? 0;
  });
}

function byMemory(entries: EmbeddedEntry[]): Map<number, EmbeddedEntry[]> {
  return Map.groupBy(entries, ({ artifactKey }) => artifactKey);
}

/** As PostgreSQL reads a `real[]`. Nine digits tell any two numbers of single precision apart. */
function arrayLiteral(vector: Float32Array): string {
  return `{${Array.from(vector, (value) => value.toPrecision(9)).join(',')}}`;
}
