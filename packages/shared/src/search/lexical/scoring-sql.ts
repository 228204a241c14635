import { batchSize } from '../index/projection.ts';
import { admitsText } from './admission.ts';
import {
  foundColumns,
  heldTerms,
  matchedKeys,
  scoredByKey,
  scoredByTerm,
  textsWith,
  usedKeys,
} from './bm25-sql.ts';
import { coverage, segmentWeights } from './coverage.ts';
import { useSql } from './key-uses.ts';
import { fewTexts, maxBatchesOfFew, maxPostings, maxPostingsOfLong, smallCorpusSize } from './limits.ts';
import { heaviestTexts, planLookups, textsOfLookups } from './lookups.ts';
import { identityOf, sizeOf, storedTerms, type TermIndex } from './term-index.ts';

/*
 * Common table expressions that retrieve texts for a lexical search and score them. Each text continues a statement whose
 * first expression is `corpus`, and ends with `scored` (`bm25-sql.ts`).
 */

/** One text for each kind of search: `searchCorpus` chooses. Separate statements start faster than a combined one. */
export interface ScoringTexts {
  /** Scores every text that can be admitted; answers nothing for a corpus above `smallCorpusSize`. */
  small: string;
  /** As `small`, also for a corpus of at most `maxCountedTexts`, where texts with the same words count once. */
  tiny: string;
  /** Scores every text of a corpus of at most `fewTexts`. For a query with many terms. */
  longOfFew: string;
  /** Scores a bounded number of texts of a corpus above `smallCorpusSize`. */
  large: string;
  /** Scores the texts that the terms make the likeliest in a corpus above `fewTexts`. For a query with many terms. */
  long: string;
}

/** @param next number of the parameter of the two last texts with the term of batch 0 */
export function scoringStatements(index: TermIndex, next: number): ScoringTexts {
  const firstBatch = `$${next}::bigint`;
  const anyKeys = matchedKeys(index, { mayBeTiny: false });
  const scoreSmall = (mayBeTiny: boolean) =>
    `${matchedKeys(index, { mayBeTiny, maxSize: smallCorpusSize })}, ${usedKeys}, ${scoredByKey(index, textsOfSmallCorpus(index))}`;
  return {
    small: scoreSmall(false),
    tiny: scoreSmall(true),
    longOfFew: `${matchedKeys(index, { mayBeTiny: true, maxSize: fewTexts })}, ${scoredByTerm(index, fewTextsOfCorpus(index, firstBatch))}`,
    large: `${anyKeys}, ${usedKeys}, ${planLookups(index, maxPostings)}, ${scoredByKey(index, textsOfLookups(index, firstBatch))}`,
    long: `${anyKeys}, ${planLookups(index, maxPostingsOfLong)}, ${scoredByTerm(index, heaviestTexts(index, firstBatch))}`,
  };
}

/** Every text, found by the terms of its batches. If many texts were added and removed, every text with a matched key. */
function fewTextsOfCorpus(index: TermIndex, firstBatch: string): string {
  const batches = `entered / ${batchSize}`;
  // Finds nothing in a larger corpus: the size that the process knows may be stale, and another statement follows then.
  const keys = `(SELECT CASE WHEN ${batches} < ${maxBatchesOfFew}
       THEN ARRAY(SELECT ${firstBatch} + n FROM generate_series(0, ${batches}) AS n) ELSE (SELECT keys FROM known) END
       FROM corpus WHERE ${sizeOf(index)} <= ${fewTexts})`;
  return textsWith(index, foundColumns(index, 's'), `terms && ${storedTerms(index, keys)}`);
}

/**
 * Every text that can be admitted. A text that one common term of a segment leads to is not admitted without another one, so the index
 * lookup leaves the commonest term of each segment out, except the keys that admit a text by themselves.
 */
function textsOfSmallCorpus(index: TermIndex): string {
  return textsWith(
    index,
    foundColumns(index, 's'),
    `terms && ${storedTerms(
      index,
      `(
       SELECT array_agg(key) FROM used WHERE admits OR term <> ALL (ARRAY(
         SELECT DISTINCT ON (segment) term FROM used WHERE NOT admits AND $7::int > 1 ORDER BY segment, df DESC, term)))`,
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
  return `${matchedKeys(index, { mayBeTiny: true })}, ${usedKeys}, ${heldTerms(index, texts)}, ${segmentWeights}`;
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
  return `${matchedKeys(index, { mayBeTiny: true })}, rare AS (
     SELECT DISTINCT ${placeOfTerm(term('use'))} AS place
     FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use WHERE is_rare
   )`;
}
