import { matchedKeys, scoredTexts, textsWith } from './bm25-sql.ts';
import { maxCommonTexts, maxPairedTerms, smallCorpusSize } from './limits.ts';
import { identityOf, type TermIndex } from './term-index.ts';
import { newestBatches, termPairs, textsWithPairs } from './term-pair-candidates.ts';

/*
 * Common table expressions that choose the candidates of a lexical search and score them. Each function continues a
 * statement whose first expression is `corpus`, and ends with `scored` (`bm25-sql.ts`). Small and large corpora have
 * separate statements: starting a combined one costs more than searching a small corpus.
 */

/**
 * Scores every text that can be admitted; answers nothing for a corpus above `smallCorpusSize`. An admitted text holds
 * $6 query terms, so it holds one besides the $6 - 1 commonest ones, and the index lookup leaves those out.
 */
export function scoreSmallCorpus(index: TermIndex): string {
  const candidates = textsWith(
    index,
    `(SELECT total <= ${smallCorpusSize} FROM corpus) AND terms && (
       SELECT array_agg(key) FROM query_key WHERE ord NOT IN (
         SELECT ord FROM query_key WHERE is_first ORDER BY term_df DESC LIMIT $6::int - 1
       ))`,
  );
  return `${matchedKeys(index)}, ${scoredTexts(index, candidates)}`;
}

/**
 * Scores a bounded number of candidates, however large the corpus is:
 *
 * - If two query terms are required: all texts with a rare pair of them, and the newest texts with a common pair.
 * - If one is enough, or the query has more terms than are paired: also all texts with a rare term, and the newest texts with a
 *   common term.
 *
 * @param firstBatch SQL for the term of batch 0
 */
export function scoreLargeCorpus(index: TermIndex, firstBatch: string): string {
  const candidates = `
     (${textsWith(index, 'terms && (SELECT rare FROM single)')})
     UNION ALL
     (SELECT s.* FROM (SELECT common, depth FROM single WHERE depth IS NOT NULL) AS w
      CROSS JOIN LATERAL (SELECT (${newestBatches(index, firstBatch, 'w.depth')}) AS terms) AS newest
      CROSS JOIN LATERAL (
        ${textsWith(index, 'terms && w.common AND terms && newest.terms')}
        ORDER BY s.${index.age} DESC LIMIT ${maxCommonTexts}
      ) AS s)
     UNION ALL
     (${textsWithPairs(index, firstBatch)})`;
  const distinct = `SELECT DISTINCT ON (${identityOf(index, 'f')}) f.* FROM (${candidates}) AS f`;
  return `${matchedKeys(index)}, ${termPairs}, single AS MATERIALIZED (
     SELECT coalesce(array_agg(key) FILTER (WHERE is_rare), '{}') AS rare,
            coalesce(array_agg(key) FILTER (WHERE NOT is_rare), '{}') AS common,
            ${maxCommonTexts} * (SELECT total FROM corpus) / min(df) FILTER (WHERE NOT is_rare) AS depth
     FROM term CROSS JOIN unnest(keys) AS key
     WHERE place <= present - $6::int + 1 AND ($6 = 1 OR present > ${maxPairedTerms})
   ), ${scoredTexts(index, distinct)}`;
}

/** Scores the given texts and no others. @param texts SQL with the columns of `textsWith` */
export function scoreGivenTexts(index: TermIndex, texts: string): string {
  return `${matchedKeys(index)}, ${scoredTexts(index, texts)}`;
}
