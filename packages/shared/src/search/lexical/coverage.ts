import { weightOf } from './bm25-sql.ts';
import { useSql } from './key-uses.ts';

/*
 * The coverage of a segment by a text (spec 20 S10): the part of the weight of the segment's terms that the terms in the text have, 0 to 1.
 *
 *     coverage(text, segment) = weight of the terms that the text holds / weight of the eight heaviest terms of the segment
 *
 * A term of a segment weighs as much as the rarest of its forms that texts of the corpus hold, the parts of the word aside; without such a
 * form, it weighs as much as a word that no text holds.
 */

/** Limit of terms of a segment whose weight a text should hold: no short entry holds half of a long sentence. */
const maxWeighedTerms = 8;

/** Coverage from which a lexical score counts in full. */
const fullCoverage = 0.5;

/** The factor of a lexical score in a fusion, 0 to 1: a text that holds one word of a question is weak evidence. */
export function confidenceOf(coverage: number): number {
  return Math.min(1, coverage / fullCoverage);
}

const { term, segmentOfTerm, weight } = useSql;

/** `segment_weights`: the weight of each segment, after `matched`. */
export const segmentWeights = `segment_weights AS MATERIALIZED (
     SELECT segment, sum(weight) AS weight FROM (
       SELECT ${segmentOfTerm('term')} AS segment, weight,
              row_number() OVER (PARTITION BY ${segmentOfTerm('term')} ORDER BY weight DESC) AS nth
       FROM (
         SELECT term, coalesce(max(weight), (SELECT ${weightOf('total', '0')} FROM corpus)) AS weight
         FROM (
           SELECT ${term('use')} AS term, NULL AS weight FROM unnest($6::int[]) AS use
           UNION ALL
           SELECT ${term('use')}, weight FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use
           WHERE ${weight('use')} = 1
         ) AS u GROUP BY term
       ) AS t
     ) AS s WHERE nth <= ${maxWeighedTerms} GROUP BY segment
   )`;

/** SQL for the coverage of a group of `held` of one segment of `segment_weights`. */
export function coverage(held: string, segment: string): string {
  return `least(1, sum(${held}.weight) / ${segment}.weight)`;
}
