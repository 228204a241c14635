import {
  column,
  type Database,
  optimizationFence,
  pick,
  statement,
  tables,
} from '@continuity/kernel/database';
import { decodeReals, encodedReals, hexOf, quantize } from '../search/index.ts';
import { type ClaimedCorpus, type Position, positionValues, savePosition } from './claims.ts';
import { lockMemory } from './lock-memory.ts';

/** Limit of entries of one batch. */
const entriesAtOnce = 128;

/** Vectors that are not quantized: those of each profile are read in the order of their key. */
const readVectors = statement(
  'read_vectors_to_quantize',
  `SELECT m.* FROM memory_embedding_totals t CROSS JOIN LATERAL (
     SELECT m.artifact_key, m.entry_id, m.profile_key, m.xmin::text AS row_version, ${encodedReals('m')} AS vector
     FROM memory_embeddings m
     WHERE m.tenant_id = $1 AND m.scope_key = $2 AND m.profile_key = t.profile_key
       AND (m.artifact_key, m.entry_id) > ($3::bigint, $4::uuid) AND m.quantized IS NULL
     ORDER BY m.artifact_key, m.entry_id LIMIT ${entriesAtOnce} ${optimizationFence}
   ) AS m
   WHERE t.tenant_id = $1 AND t.scope_key = $2 AND NOT t.is_quantized
   ORDER BY m.artifact_key, m.entry_id FETCH FIRST ${entriesAtOnce} ROWS WITH TIES`,
  {
    ...pick(tables.memory_embeddings, 'artifact_key', 'entry_id', 'profile_key'),
    row_version: column.text,
    vector: column.text,
  },
);

/** A vector that was stored anew since it was read has another row version. */
const storeQuantized = statement(
  'store_quantized_vectors',
  `UPDATE memory_embeddings e SET quantized = decode(g.quantized, 'hex')
   FROM unnest($4::uuid[], $5::int[], $6::text[], $7::text[]) AS g(entry_id, profile_key, row_version, quantized)
   CROSS JOIN LATERAL (
     SELECT o.tableoid, o.ctid FROM memory_embeddings o
     WHERE o.tenant_id = $1 AND o.scope_key = $2 AND o.profile_key = g.profile_key AND o.artifact_key = $3
       AND o.entry_id = g.entry_id AND o.xmin::text = g.row_version
     ${optimizationFence}
   ) AS current
   WHERE e.tableoid = current.tableoid AND e.ctid = current.ctid`,
);

/**
 * Gives the next vectors of a Scope their form with 8 bits a component (spec 26 S12), in which a search without pgvector reads them.
 * Null after the last ones.
 */
export async function quantizeVectors(database: Database, claimed: ClaimedCorpus): Promise<Position | null> {
  const { tenantId, scopeKey, after } = claimed;
  const rows = await database.sql.rows(readVectors, [tenantId, scopeKey, after.artifactKey, after.entryId]);
  let position: Position | null = null;
  for (const [artifactKey, ofMemory] of Map.groupBy(rows, (row) => row.artifact_key)) {
    const last = { artifactKey, entryId: ofMemory.at(-1)?.entry_id ?? after.entryId };
    const values = [
      tenantId,
      scopeKey,
      artifactKey,
      ofMemory.map(({ entry_id }) => entry_id),
      ofMemory.map(({ profile_key }) => profile_key),
      ofMemory.map(({ row_version }) => row_version),
      ofMemory.map(({ vector }) => hexOf(quantize(decodeReals(vector)))),
    ];
    await database.transaction(async (sql) => {
      // Writers and this one lock the same rows in another order, so they take turns.
      const locked = lockMemory(sql, tenantId, artifactKey);
      const stored = sql.rows(storeQuantized, values);
      await Promise.all([locked, stored, sql.commitWith(savePosition, positionValues(claimed, last))]);
    });
    position = last;
  }
  return position;
}
