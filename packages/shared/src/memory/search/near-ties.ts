import type { ChannelScore } from '../../search/index.ts';

/** A candidate of a hybrid search with its fused score and its scores in the channels. */
interface Candidate {
  readonly score: number;
  readonly channels: Readonly<{ fts?: ChannelScore }>;
}

/** Largest difference of the fused scores of a near tie, where vectors count in full. */
const maxDifference = 0.05;

/**
 * Gives the candidates of a near tie the best score of them, so that the newest of them comes first (spec 26 S16). Two states of one
 * fact have the same words of the query, and vectors that differ by the noise of the model.
 *
 * @param candidates of a hybrid search, best first
 * @param vectorWeight factor of the vector scores in the fusion, 0 to 1
 */
export function levelNearTies<C extends Candidate>(candidates: readonly C[], vectorWeight = 1): C[] {
  // The largest score of the tie that is being filled, by the lexical score of its members.
  const levels = new Map<string, number>();
  return candidates.map((candidate) => {
    const lexical = candidate.channels.fts?.score ?? 0;
    if (lexical === 0) return candidate;
    // Sums of equal parts in another order differ in the last digits.
    const words = lexical.toPrecision(9);
    const level = levels.get(words);
    if (level !== undefined && level - candidate.score <= maxDifference * vectorWeight)
      return { ...candidate, score: level };
    levels.set(words, candidate.score);
    return candidate;
  });
}
