import { batchSize } from './projection.ts';
import {
  maxBatches,
  maxDepth,
  maxListed,
  maxNewest,
  maxOfPairs,
  maxPaired,
  maxRare,
  slack,
} from './reading-limits.ts';
import { type LexicalTables, textsWith } from './search-parts.ts';

/**
 * `term`: the known keys of each query term, the rare ones apart from the common ones, and its `place`, the rarest term first.
 * `pair`: each two of them, and how many texts should hold both. A deep pair has too many to go through: they are looked for in
 * the newest batches.
 * `lookup`: the pairs of a term with rarer ones that are read together, and how many of their texts are scored at `most`.
 */
export const termsAndPairs = `term AS MATERIALIZED (
     SELECT keys, holders, dense_rank() OVER (ORDER BY of_term, ord) AS place,
            sum(holders) OVER (ORDER BY holders, ord) <= ${maxRare} AS is_rare,
            (SELECT count(DISTINCT ord) FROM known) AS present
     FROM (
       SELECT ord, array_agg(key) AS keys, sum(holders)::float8 AS holders,
              sum(sum(holders)) OVER (PARTITION BY ord) AS of_term
       FROM known GROUP BY ord, holders > ${maxRare}
     ) AS t
   ), pair AS (
     SELECT one.keys AS one, one.place AS rarer, other.keys AS other, other.place, p.texts, p.is_deep,
            p.is_deep OR sum(p.texts) OVER (ORDER BY p.texts) > ${maxRare} AS is_common
     FROM scope CROSS JOIN term AS one JOIN term AS other ON one.place < other.place
     CROSS JOIN LATERAL (
       SELECT h AS texts, least(one.holders, other.holders) > ${maxListed} OR h > ${maxRare} AS is_deep
       FROM (SELECT one.holders * other.holders / total) AS chance(h)
     ) AS p
     WHERE other.place <= least(other.present - $6 + 2, ${maxPaired})
       AND NOT ($6 = 1 AND (one.is_rare OR other.is_rare))
   ), lookup AS MATERIALIZED (
     SELECT other, array_agg(key) AS one, max(texts) AS texts, is_deep,
            CASE WHEN is_common THEN ${maxNewest} ELSE ${maxOfPairs} END / count(*) OVER (PARTITION BY is_common) AS most
     FROM pair CROSS JOIN unnest(one) AS key
     GROUP BY place, other, is_deep, is_common, CASE WHEN is_deep THEN rarer END
   )`;

/** The texts that hold a pair, those of many more than once. Reads `lookup`. */
export function textsOfPairs(tables: LexicalTables): string {
  const depth = `l.most * ${slack} * (SELECT total FROM scope) / l.texts`;
  const both = textsWith(tables, 'terms && w.one AND terms && w.other AND terms && w.newest');
  return `
  SELECT s.* FROM (
    SELECT one, other, most, CASE WHEN is_deep THEN (${newestBatches(tables, depth)}) ELSE other END AS newest
    FROM lookup AS l OFFSET 0
  ) AS w CROSS JOIN LATERAL (${both} ORDER BY s.${tables.age} DESC LIMIT w.most) AS s`;
}

/**
 * The terms of the newest batches that hold `depth` texts together, as an array. Reads `scope`. What was rewritten or removed
 * since has left its batch: batches may be empty, one after the other, or all but empty, and are passed by.
 */
export function newestBatches({ terms, holders }: LexicalTables, depth: string): string {
  return `
  WITH RECURSIVE batch AS (
    SELECT $7::bigint + s.entered / ${batchSize} + 1 AS term, 0::bigint AS reached, 0 AS nth,
           least(${maxDepth}, ${depth})::float8 AS depth
    FROM scope s
    UNION ALL
    SELECT older.term, b.reached + older.texts, b.nth + 1, b.depth
    FROM batch b CROSS JOIN LATERAL (
      SELECT t.term, t.${holders} AS texts FROM ${terms} t
      WHERE t.tenant_id = $1 AND t.scope_key = (SELECT scope_key FROM scope) AND t.term >= $7::bigint AND t.term < b.term
        AND t.${holders} > 0
      ORDER BY t.term DESC LIMIT 1
    ) AS older
    WHERE b.reached < b.depth AND b.nth < ${maxBatches}
  )
  SELECT coalesce(array_agg(term) FILTER (WHERE nth > 0), '{}') FROM batch`;
}
