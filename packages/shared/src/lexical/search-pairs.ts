import { batchSize } from './projection.ts';
import { type LexicalTables, textsWith } from './search-parts.ts';

/** Query terms, the rarest, of which each pair is looked up. */
export const maxPaired = 8;

/** Words, or pairs of words, that no more texts than this should hold together are rare: each text of theirs is scored. */
const maxRare = 300;

/** Texts that are scored of all common words, or of all common pairs: the newest. */
export const maxNewest = 150;

/** Texts that are scored of all rare pairs, in case that words go together more often than chance has it: the newest. */
const maxOfPairs = 1_000;

/** Holders of a word up to which its list in the index is read whole. */
const maxListed = 4_000;

/** How far back common words are looked for, in texts, and in batches that hold any. */
const maxDepth = 65_536;
const maxBatches = 256;

/** By how much farther than chance has it a search goes back for the newest of a pair. */
const slack = 1.5;

/** By how much more the pairs weigh that make another one spare. A pair weighs the logarithm of how few texts should hold it. */
const heavier = 1;

/** Texts that are enough for a search: those that hold the same words still differ in length and in how often. */
const enough = '2 * $8::int';

/**
 * `term`: the known keys of each query term, the rare ones apart from the common ones, and its `place`, the rarest term first.
 * `pair`: each two of them, and how many texts should hold both. A deep pair has too many to go through: they are looked for in
 * the newest batches. A spare one is not needed unless the others have fewer texts than they should; it is one with the
 * commonest term, so that whatever holds three terms is found without it.
 * `lookup`: the pairs of a term with rarer ones that are read together, and how many of their texts are scored at `most`.
 *
 * @param spares whether pairs may be spare
 */
export function termsAndPairs(spares: boolean): string {
  return `term AS MATERIALIZED (
     SELECT keys, holders, dense_rank() OVER (ORDER BY of_term, ord) AS place,
            sum(holders) OVER (ORDER BY holders, ord) <= ${maxRare} AS is_rare,
            (SELECT count(DISTINCT ord) FROM known) AS present
     FROM (
       SELECT ord, array_agg(key) AS keys, sum(holders)::float8 AS holders,
              sum(sum(holders)) OVER (PARTITION BY ord) AS of_term
       FROM known GROUP BY ord, holders > ${maxRare}
     ) AS t
   ), pair AS (
     SELECT *, (${spares} AND has_commonest AND texts_of_heavier >= ${enough}) IS TRUE AS is_spare
     FROM (
       SELECT one.keys AS one, one.place AS rarer, other.keys AS other, other.place, p.texts, p.is_deep,
              p.is_deep OR sum(p.texts) OVER (ORDER BY p.texts) > ${maxRare} AS is_common,
              other.place = max(other.place) OVER () AS has_commonest,
              sum(p.texts) OVER (
                ORDER BY ln(p.texts) RANGE BETWEEN UNBOUNDED PRECEDING AND ${heavier}::float8 PRECEDING
              ) AS texts_of_heavier
       FROM scope CROSS JOIN term AS one JOIN term AS other ON one.place < other.place
       CROSS JOIN LATERAL (
         SELECT h AS texts, least(one.holders, other.holders) > ${maxListed} OR h > ${maxRare} AS is_deep
         FROM (SELECT one.holders * other.holders / total) AS chance(h)
       ) AS p
       WHERE other.place <= least(other.present - $6 + 2, ${maxPaired})
         AND NOT ($6 = 1 AND (one.is_rare OR other.is_rare))
     ) AS p
   ), lookup AS MATERIALIZED (
     SELECT other, array_agg(key) AS one, max(texts) AS texts, is_deep, is_spare,
            CASE WHEN is_common THEN ${maxNewest} ELSE ${maxOfPairs} END
              / count(*) OVER (PARTITION BY is_spare, is_common) AS most
     FROM pair CROSS JOIN unnest(one) AS key
     GROUP BY place, other, is_deep, is_spare, is_common, CASE WHEN is_deep THEN rarer END
   )`;
}

/** The texts that hold a pair, those of many more than once. Reads `lookup`. */
export function textsOfPairs(tables: LexicalTables, condition = 'true'): string {
  const depth = `l.most * ${slack} * (SELECT total FROM scope) / l.texts`;
  const both = textsWith(tables, 'terms && w.one AND terms && w.other AND terms && w.newest');
  return `
  SELECT s.* FROM (
    SELECT one, other, most, CASE WHEN is_deep THEN (${newestBatches(tables, depth)}) ELSE other END AS newest
    FROM lookup AS l WHERE ${condition} OFFSET 0
  ) AS w CROSS JOIN LATERAL (${both} ORDER BY s.${tables.age} DESC LIMIT w.most) AS s`;
}

/** `found`: the texts that hold a pair which is not spare. */
export function textsOfNeededPairs(tables: LexicalTables): string {
  return `found AS MATERIALIZED (${textsOfPairs(tables, 'NOT is_spare')})`;
}

/** As `textsOfPairs`, those of spare pairs only where the others had not enough. Reads `found`, too. */
export function textsOfEnoughPairs(tables: LexicalTables): string {
  const areNeeded = `(SELECT count(DISTINCT ${tables.age}) FROM found) < ${enough}`;
  return `SELECT * FROM found UNION ALL (${textsOfPairs(tables, `is_spare AND ${areNeeded}`)})`;
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
