import { optimizationFence } from '@continuity/kernel/database';

/**
 * SQL expressions that move the vectors of entries that have ended to the negative key of their profile, where no search without `as_of`
 * reads them: `moved` answers the new keys, and `movedCounts` what it changes in the counters.
 *
 * @param entries relation with the `entry_id` of each, as `c`; $1 is the tenant, $2 the Scope, $3 the Memory
 * @param condition SQL condition on `c`
 */
export function moveVectors(entries: string, condition: string): string {
  return `moved AS (
     UPDATE memory_embeddings e SET profile_key = -e.profile_key
     FROM ${entries} c CROSS JOIN memory_embedding_totals t CROSS JOIN LATERAL (
       SELECT o.tableoid, o.ctid FROM memory_embeddings o
       WHERE o.tenant_id = $1 AND o.scope_key = $2 AND o.profile_key = t.profile_key
         AND o.artifact_key = $3 AND o.entry_id = c.entry_id
       ${optimizationFence}
     ) AS known
     WHERE ${condition} AND t.tenant_id = $1 AND t.scope_key = $2 AND t.profile_key > 0
       AND e.tableoid = known.tableoid AND e.ctid = known.ctid
     RETURNING e.profile_key
   )`;
}

/** SQL of the changes of counters, as `profile_key` and `vectors`. */
export const movedCounts = `SELECT profile_key, 1 AS vectors FROM moved
       UNION ALL
       SELECT -profile_key, -1 FROM moved`;

/** The expression that adds changes, SQL with the columns of `movedCounts`, to the counters. */
export function countVectors(changes: string): string {
  return `counted_vectors AS (
     INSERT INTO memory_embedding_totals AS t (tenant_id, scope_key, profile_key, embedded)
     SELECT $1, $2, profile_key, sum(vectors) FROM (
       ${changes}
     ) AS u GROUP BY profile_key ORDER BY profile_key
     ON CONFLICT (tenant_id, scope_key, profile_key) DO UPDATE SET embedded = t.embedded + excluded.embedded
   )`;
}
