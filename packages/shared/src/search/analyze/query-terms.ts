// The result of `analyzeQuery`.

/** One query term: a text holds it if it holds any of the keys, which are forms or parts of the word. */
export interface QueryTerm {
  readonly keys: readonly string[];
  /** Factor for the score of the key at the same position: 1 for a form of the word, less for a part. */
  readonly weights: readonly number[];
}

/** A query as its segments (spec 25 §1). */
export interface QueryAnalysis {
  /** The distinct terms of all segments, at most 512. */
  readonly terms: readonly QueryTerm[];
  /** In the order of the query, at most 64, none of them empty. */
  readonly segments: readonly QuerySegment[];
}

/** A line or sentence of a query. */
export interface QuerySegment {
  readonly text: string;
  /** Positions of its terms in `terms`, each once, at most 64. */
  readonly terms: readonly number[];
}

/** Weight of a match by a part of an identifier: the whole identifier ranks first, also in a longer text. */
export const partWeight = 0.25;

/** Weight of a match by a part of a compound in the text: the word by itself ranks first. */
export const compoundWeight = 0.6;

/** Weight of a match by a stem that is cut short, or by the beginning of a hash. */
export const stemWeight = 0.8;
