import { batchSize } from '../index/projection.ts';
import { textsWith } from './bm25-sql.ts';
import {
  depthMargin,
  maxBatches,
  maxCommonTexts,
  maxDepth,
  maxPairedTerms,
  maxPostings,
  maxRarePairTexts,
  rareFrequency,
} from './limits.ts';
import type { TermIndex } from './term-index.ts';

/**
 * Common table expressions that plan which pairs of query terms a search of a large corpus looks up. Few texts hold a
 * pair even where both words are common.
 *
 * - `term`: the matched keys of each query term, rare and common ones in separate rows, and the `place` of the term,
 *   rarest first.
 * - `pair`: each pair of these rows, with the number of texts expected to hold both if words were independent. A deep pair has
 *   too many texts: the search looks for it in the newest batches only.
 * - `lookup`: the pairs of a term with rarer ones that share one read, and the limit of their texts that are scored (`max_texts`).
 */
export const termPairs = `term AS MATERIALIZED (
     SELECT keys, df, dense_rank() OVER (ORDER BY term_df, ord) AS place,
            sum(df) OVER (ORDER BY df, ord) <= ${rareFrequency} AS is_rare,
            (SELECT count(DISTINCT ord) FROM matched) AS present
     FROM (
       SELECT ord, array_agg(key) AS keys, sum(df)::float8 AS df, sum(sum(df)) OVER (PARTITION BY ord) AS term_df
       FROM matched GROUP BY ord, df > ${rareFrequency}
     ) AS t
   ), pair AS (
     SELECT one.keys AS one, one.place AS rarer, other.keys AS other, other.place, p.expected, p.is_deep,
            p.is_deep OR sum(p.expected) OVER (ORDER BY p.expected) > ${rareFrequency} AS is_common
     FROM corpus CROSS JOIN term AS one JOIN term AS other ON one.place < other.place
     CROSS JOIN LATERAL (
       SELECT e AS expected, least(one.df, other.df) > ${maxPostings} OR e > ${rareFrequency} AS is_deep
       FROM (SELECT one.df * other.df / total) AS chance(e)
     ) AS p
     WHERE other.place <= least(other.present - $6 + 2, ${maxPairedTerms})
       AND NOT ($6 = 1 AND (one.is_rare OR other.is_rare))
   ), lookup AS MATERIALIZED (
     SELECT other, array_agg(key) AS one, max(expected) AS expected, is_deep,
            CASE WHEN is_common THEN ${maxCommonTexts} ELSE ${maxRarePairTexts} END / count(*) OVER (PARTITION BY is_common) AS max_texts
     FROM pair CROSS JOIN unnest(one) AS key
     GROUP BY place, other, is_deep, is_common, CASE WHEN is_deep THEN rarer END
   )`;

/** The texts that hold a pair of `lookup`; a text can occur several times. */
export function textsWithPairs(index: TermIndex, firstBatch: string): string {
  const depth = `l.max_texts * ${depthMargin} * (SELECT total FROM corpus) / l.expected`;
  const both = textsWith(index, 'terms && w.one AND terms && w.other AND terms && w.newest');
  return `
  SELECT s.* FROM (
    SELECT one, other, max_texts,
           CASE WHEN is_deep THEN (${newestBatches(index, firstBatch, depth)}) ELSE other END AS newest
    FROM lookup AS l OFFSET 0
  ) AS w CROSS JOIN LATERAL (${both} ORDER BY s.${index.age} DESC LIMIT w.max_texts) AS s`;
}

/**
 * SQL for an array with the terms of the newest batches that together hold `depth` texts. Texts that were rewritten or
 * removed have left their batch, so the recursion skips batches that are empty.
 *
 * @param firstBatch SQL for the term of batch 0
 */
export function newestBatches(
  { terms, documentFrequency }: TermIndex,
  firstBatch: string,
  depth: string,
): string {
  return `
  WITH RECURSIVE batch AS (
    SELECT ${firstBatch} + c.entered / ${batchSize} + 1 AS term, 0::bigint AS reached, 0 AS nth,
           least(${maxDepth}, ${depth})::float8 AS depth
    FROM corpus c
    UNION ALL
    SELECT older.term, b.reached + older.texts, b.nth + 1, b.depth
    FROM batch b CROSS JOIN LATERAL (
      SELECT t.term, t.${documentFrequency} AS texts FROM ${terms} t
      WHERE t.tenant_id = $1 AND t.scope_key = (SELECT scope_key FROM corpus)
        AND t.term >= ${firstBatch} AND t.term < b.term AND t.${documentFrequency} > 0
      ORDER BY t.term DESC LIMIT 1
    ) AS older
    WHERE b.reached < b.depth AND b.nth < ${maxBatches}
  )
  SELECT coalesce(array_agg(term) FILTER (WHERE nth > 0), '{}') FROM batch`;
}
