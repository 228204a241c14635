import { optimizationFence } from '@continuity/kernel/database';
import { admitsAlone } from './admission.ts';
import { foundColumns, lengthNorm, textsWith } from './bm25-sql.ts';
import { useSql } from './key-uses.ts';
import {
  depthMargin,
  maxCommonTexts,
  maxPairedTerms,
  maxPairLookups,
  maxPairNewest,
  maxPairTexts,
  maxRankedKeys,
  maxWholeList,
  maxWholeTexts,
  minScoredTexts,
  postingsPerCommonText,
  spareTexts,
} from './limits.ts';
import { newestBatches } from './newest-batches.ts';
import { identityOf, sizeOf, storedTerms, type TermIndex } from './term-index.ts';

const { term, segmentOfTerm, weight } = useSql;

/** Fewer texts, where pairs are looked up too. */
const common = `${maxCommonTexts} / (1 + (SELECT count(*) FROM chosen))`;

/**
 * Common table expressions that plan a bounded search (spec 25 Q3):
 *
 * - `listed`: the keys with `is_read` for the rarest ones, whose posting lists are read whole.
 * - `rest`: the uses of the other keys. Few texts hold two terms of a segment, even where each is common.
 * - `pair`: each of the rarest terms of a segment, with all rarer ones as `one`.
 * - `lookup`: pairs, those that the fewest texts should hold first; and the keys that admit a text by themselves. A deep one has too
 *   many texts: only the newest batches are searched.
 *
 * @param maxPostings limit of postings of the read keys together
 */
export const planLookups = (index: TermIndex, maxPostings: number): string => `listed AS MATERIALIZED (
     SELECT *, sum(df) OVER rarest <= ${maxPostings} AS is_read, row_number() OVER rarest AS nth
     FROM (SELECT key, postings AS df, first_use, last_use, weight, is_rare FROM matched) AS m
     WINDOW rarest AS (ORDER BY df, key ROWS UNBOUNDED PRECEDING)
   ), rest AS MATERIALIZED (
     SELECT key, df, use, term, admits, weight, segment, dense_rank() OVER (PARTITION BY segment ORDER BY term_df, term) AS nth
     FROM (
       SELECT key, df::float8, use, ${term('use')} AS term, ${admitsAlone('is_rare', 'use')} OR $7::int = 1 AS admits,
              weight * ${weight('use')} AS weight, ${segmentOfTerm(term('use'))} AS segment,
              sum(df) OVER (PARTITION BY ${term('use')}) AS term_df
       FROM listed CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use
       WHERE NOT is_read AND nth - (SELECT count(*) FROM listed WHERE is_read) <= ${maxRankedKeys}
     ) AS u
   ), pair AS (
     SELECT term, array_agg(key) AS other, one, max(weight) + one_weight AS weight, one_df, sum(df) AS other_df
     FROM (
       SELECT *, array_agg(key) OVER rarer AS one, sum(df) OVER rarer AS one_df, max(weight) OVER rarer AS one_weight
       FROM rest WHERE nth <= ${maxPairedTerms} AND $7::int > 1
       WINDOW rarer AS (PARTITION BY segment ORDER BY nth GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) AS k
     WHERE nth > 1 GROUP BY term, one, one_df, one_weight
   ), chosen AS MATERIALIZED (
     SELECT *, expected > ${maxWholeTexts} OR least(one_df, other_df) > ${maxWholeList} AS is_deep FROM (
       SELECT *, row_number() OVER ranked AS nth, sum(expected) OVER ranked - expected AS before
       FROM (SELECT *, one_df * other_df / (SELECT ${sizeOf(index)} FROM corpus) AS expected FROM pair) AS chance
       WINDOW ranked AS (ORDER BY expected, term)
     ) AS each WHERE nth <= ${maxPairLookups} AND before < ${maxPairTexts}
   ), lookup AS MATERIALIZED (
     SELECT term, one, other, weight, expected,
            CASE WHEN is_deep THEN ${maxPairNewest} ELSE ${spareTexts} * expected + ${maxPairNewest} END AS max_texts, is_deep
     FROM chosen
     UNION ALL
     SELECT min(term), array_agg(key), array_agg(key), min(weight), sum(df), ${common}, sum(df) > ${common}
     FROM (
       SELECT *, sum(df) OVER (ORDER BY df, key) - df AS before
       FROM (SELECT DISTINCT ON (key) * FROM rest WHERE admits ORDER BY key) AS each
     ) AS alone WHERE before < ${postingsPerCommonText} * ${common} HAVING count(*) > 0
   )`;

/**
 * SQL of the texts of each `lookup` as `s`, beside the lookup `w`.
 *
 * @param firstBatch SQL for the term of batch 0
 */
function lookedUp(index: TermIndex, columns: string, firstBatch: string): string {
  const depth = `l.max_texts * ${depthMargin} * (SELECT ${sizeOf(index)} FROM corpus) / l.expected`;
  const both = textsWith(
    index,
    columns,
    `terms && ${storedTerms(index, 'w.one')} AND terms && ${storedTerms(index, 'w.other')} AND terms && ${storedTerms(index, 'w.newest')}`,
  );
  return `(
       SELECT term, one, other, weight, max_texts,
              CASE WHEN is_deep THEN (${newestBatches(index, firstBatch, depth)}) ELSE other END AS newest
       FROM lookup AS l ${optimizationFence}
     ) AS w CROSS JOIN LATERAL (${both} ORDER BY s.${index.age} DESC LIMIT w.max_texts) AS s`;
}

/** All texts with a key that `is_read`, and those of the lookups; each text once. */
export function textsOfLookups(index: TermIndex, firstBatch: string): string {
  const columns = foundColumns(index, 's');
  return `
     SELECT DISTINCT ON (${identityOf(index, 'f')}) f.* FROM (
       ${textsWith(index, columns, `terms && ${storedTerms(index, '(SELECT array_agg(key) FROM listed WHERE is_read)')}`)}
       UNION ALL
       SELECT s.* FROM ${lookedUp(index, columns, firstBatch)}
     ) AS f`;
}

/**
 * Of the texts of `textsOfLookups` those with the heaviest segment, judged by their length and the terms through which they were
 * found: exact scores of all of them would take longer than finding them.
 */
export function heaviestTexts(index: TermIndex, firstBatch: string): string {
  const own = index.identity.join(', ');
  const identity = identityOf(index, 's');
  const columns = `${identity}, s.length`;
  const isFound = index.identity.map((column) => `t.${column} = f.${column}`).join(' AND ');
  return `
     SELECT ${foundColumns(index, 's')} FROM (
       SELECT ${own} FROM (
         SELECT ${own}, sum(weight) AS weight FROM (
           SELECT ${identityOf(index, 'e')}, e.term, max(e.weight / (1 + ${lengthNorm('e')})) AS weight FROM (
             SELECT ${own}, length, ${term('use')} AS term, weight * ${weight('use')} AS weight FROM (
               SELECT ${columns}, k.weight, unnest(($6::int[])[k.first_use:k.last_use]) AS use
               FROM listed k CROSS JOIN LATERAL (${textsWith(index, columns, `terms && ${storedTerms(index, 'ARRAY[k.key]')}`)}) AS s
               WHERE k.is_read
             ) AS u
             UNION ALL
             SELECT ${columns}, w.term, w.weight FROM ${lookedUp(index, columns, firstBatch)}
           ) AS e CROSS JOIN corpus GROUP BY ${identityOf(index, 'e')}, e.term
         ) AS t GROUP BY ${own}, ${segmentOfTerm('term')}
       ) AS s GROUP BY ${own} ORDER BY max(weight) DESC, ${index.age} DESC LIMIT greatest(${minScoredTexts}, $8::int)
     ) AS f CROSS JOIN LATERAL (
       SELECT * FROM ${index.texts} t WHERE t.tenant_id = $1 AND ${isFound} ${optimizationFence}
     ) AS s`;
}
