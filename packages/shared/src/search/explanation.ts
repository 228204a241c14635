import { column, type RowOf } from '@continuity/kernel/database';

/** Limit of the segments of a query (spec 25 Q1). */
export const maxSegments = 64;

/** SQL of the columns of an explanation, from `explained` (`explainGivenTexts`). */
export const explanationColumns = 'segment, segment_score, coverage, admits_text, held_terms';

/** The row of `explanationColumns`. */
export const explanationRow = {
  segment: column.integer,
  segment_score: column.double,
  coverage: column.double,
  admits_text: column.boolean,
  held_terms: column.integer.array(),
};

/** What a text holds of one segment of a query. */
export type SegmentMatch = RowOf<typeof explanationRow>;

/** How the lexical channel sees a text. */
export interface LexicalMatch {
  /** BM25 of the segment that gave it; 0 for a text without a term of the query. */
  score: number;
  /** Its coverage of that segment (spec 20 S10), 0 to 1. */
  coverage: number;
  /** Place of that segment, from 0; null for a text without a term of the query. */
  segment: number | null;
  /** Places of the terms of that segment that the text holds, in the order of the analysis. */
  terms: readonly number[];
  /** Whether a segment admits the text (spec 25 Q4). */
  isAdmitted: boolean;
}

/**
 * Chooses the segment that gave a text its score.
 *
 * @param isFused false in a search by words alone: there the segment admits the text, unless none does (spec 25 Q5). In a hybrid search
 *   any segment counts (spec 20 S10).
 */
export function chooseSegment(segments: readonly SegmentMatch[], isFused: boolean): LexicalMatch {
  const isAdmitted = segments.some(({ admits_text }) => admits_text);
  const counted = !isFused && isAdmitted ? segments.filter(({ admits_text }) => admits_text) : segments;
  const best = counted.reduce<SegmentMatch | undefined>(
    (found, one) => (found === undefined || isBetter(one, found) ? one : found),
    undefined,
  );
  if (best === undefined) return { score: 0, coverage: 0, segment: null, terms: [], isAdmitted };
  return {
    score: best.segment_score,
    coverage: best.coverage,
    segment: best.segment,
    terms: best.held_terms,
    isAdmitted,
  };
}

/** Of equal scores, the earlier segment. */
function isBetter(one: SegmentMatch, other: SegmentMatch): boolean {
  if (one.segment_score !== other.segment_score) return one.segment_score > other.segment_score;
  return one.segment < other.segment;
}
