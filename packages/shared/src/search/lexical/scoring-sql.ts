import { admitsAlone, admitsText } from './admission.ts';
import { heldTerms, matchedKeys, scoredColumns, scoredTexts, textsWith } from './bm25-sql.ts';
import { coverage, segmentWeights } from './coverage.ts';
import { useSql } from './key-uses.ts';
import { maxPostings, maxPostingsOfLong, smallCorpusSize } from './limits.ts';
import { heaviestTexts, planLookups, textsOfLookups } from './lookups.ts';
import { identityOf, sizeOf, storedTerms, type TermIndex } from './term-index.ts';

/*
 * Common table expressions that retrieve texts for a lexical search and score them. Each text continues a statement whose
 * first expression is `corpus`, and ends with `scored` (`bm25-sql.ts`).
 */

/** One text for each kind of search: `searchCorpus` chooses. Separate statements start faster than a combined one. */
interface ScoringTexts {
  /** Scores every text that can be admitted; answers nothing for a corpus above `smallCorpusSize`. */
  small: string;
  /** Scores a bounded number of texts of a corpus of any size. */
  large: string;
  /** As `large`, for a query with many terms: scores only the texts that its terms make the likeliest. */
  long: string;
}

/** @param next number of the parameter of the two last texts with the term of batch 0 */
export function scoringStatements(index: TermIndex, next: number): ScoringTexts {
  const firstBatch = `$${next}::bigint`;
  const keys = matchedKeys(index);
  return {
    small: `${keys}, ${scoredTexts(index, textsOfSmallCorpus(index))}`,
    large: `${keys}, ${planLookups(index, maxPostings)}, ${scoredTexts(index, textsOfLookups(index, firstBatch))}`,
    long: `${keys}, ${planLookups(index, maxPostingsOfLong)}, ${scoredTexts(index, heaviestTexts(index, firstBatch))}`,
  };
}

/**
 * Every text that can be admitted. The commonest term of a segment admits no text without another one, unless it is rare or the
 * only one: the index lookup leaves it out.
 */
function textsOfSmallCorpus(index: TermIndex): string {
  const { term, segmentOfTerm } = useSql;
  return textsWith(
    index,
    scoredColumns(index, 's'),
    `(SELECT ${sizeOf(index)} <= ${smallCorpusSize} FROM corpus) AND terms && ${storedTerms(
      index,
      `(
       SELECT array_agg(key) FROM (
         SELECT key, admits OR dense_rank() OVER (PARTITION BY ${segmentOfTerm('term')} ORDER BY admits, df DESC, term) >= $7::int AS is_used
         FROM (
           SELECT key, ${term('use')} AS term, sum(df) OVER of_term AS df, bool_or(${admitsAlone('is_rare', 'use')}) OVER of_term AS admits
           FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use
           WINDOW of_term AS (PARTITION BY ${term('use')})
         ) AS t
       ) AS k WHERE is_used)`,
    )}`,
  );
}

/**
 * `weighed`: each of the given texts that a segment admits, with the score and the coverage (`coverage.ts`) of its best segment.
 *
 * @param texts SQL with the columns of `scoredColumns`
 */
export function scoreGivenTexts(index: TermIndex, texts: string): string {
  const own = identityOf(index, 'h');
  const { segmentOfTerm } = useSql;
  return `${coveredTexts(index, texts)}, weighed AS (
     SELECT DISTINCT ON (${own}) ${own}, sum(h.score) AS score, ${coverage('h', 'w')} AS coverage
     FROM held h JOIN segment_weights w ON w.segment = ${segmentOfTerm('h.term')}
     GROUP BY ${own}, w.segment, w.weight HAVING ${admitsText} ORDER BY ${own}, score DESC, w.segment
   )`;
}

/** `held` and `segment_weights` of the given texts. */
function coveredTexts(index: TermIndex, texts: string): string {
  return `${matchedKeys(index)}, ${heldTerms(index, texts)}, ${segmentWeights}`;
}

/**
 * `explained`: for each of the given texts and each segment of which it holds a term, the score, the coverage, the places of these terms,
 * and whether the segment admits the text.
 *
 * @param texts SQL with the columns of `scoredColumns`
 */
export function explainGivenTexts(index: TermIndex, texts: string): string {
  const own = identityOf(index, 'h');
  const { segmentOfTerm, placeOfTerm, segmentNumber } = useSql;
  return `${coveredTexts(index, texts)}, explained AS (
     SELECT ${own}, ${segmentNumber('h.term')} AS segment, sum(h.score) AS segment_score, ${coverage('h', 'w')} AS coverage,
            ${admitsText} AS admits_text, array_agg(${placeOfTerm('h.term')} ORDER BY h.term) AS held_terms
     FROM held h JOIN segment_weights w ON w.segment = ${segmentOfTerm('h.term')}
     GROUP BY ${own}, w.segment, w.weight, ${segmentNumber('h.term')}
   )`;
}

/** `rare`: one row for the place of each query term that texts of the corpus hold in a rare form. */
export function rareTerms(index: TermIndex): string {
  const { placeOfTerm, term } = useSql;
  return `${matchedKeys(index)}, rare AS (
     SELECT DISTINCT ${placeOfTerm(term('use'))} AS place
     FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use WHERE is_rare
   )`;
}
