/** A hit of a search with its exact score in each channel, also in one that did not yield it. */
export interface ScoredHit<Channel extends string, Item> {
  readonly item: Item;
  /** BM25, cosine similarity, …; a score below the baseline of its channel counts as 0. */
  readonly scores: Readonly<Record<Channel, number>>;
  /** Factors of its scores in the fusion, 0 to 1. Default: 1. */
  readonly confidence?: Readonly<Partial<Record<Channel, number>>>;
  /** The channels that admitted it. */
  readonly matchedBy: readonly Channel[];
}

/** A channel. */
export interface ScoredChannel<Channel extends string> {
  readonly channel: Channel;
  /** Score of an unrelated hit. Only what exceeds it counts. */
  readonly baseline: number;
  /** Factor of its scores in the fusion, 0 to 1. Default: 1. */
  readonly weight?: number;
}

/** The score of a hit in a channel, what it contributes to the fused score (0 to 1), and the best score of the channel. */
export interface ChannelScore {
  readonly score: number;
  readonly share: number;
  readonly best: number;
}

/** A hit with its fused score, 0 to 1. */
interface Fused<Channel extends string, Item> {
  readonly item: Item;
  readonly score: number;
  readonly matchedBy: readonly Channel[];
  /** Its score in each channel that counted. */
  readonly channels: Readonly<Partial<Record<Channel, ChannelScore>>>;
}

/**
 * Ranks hits by a weighted mean of their channel scores (spec 20 S10, spec 26 S10), best first, equal scores by `compare`:
 *
 *     score(item)       = 1 / channels * sum over channels of ( weight * confidence * part(item, channel) )
 *     part(item, channel) = max(0, score(item, channel) - baseline) / (best score of the channel - baseline)
 *
 * With one channel this only scales its scores. The best score is that of all hits, so that a hit that the
 * channel did not yield cannot exceed 1. Convex combination ranks better than reciprocal ranks, provided that every
 * hit has its exact score in both channels: S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", ACM Transactions on Information Systems 42 (1), 2023.
 */
export function fuseScores<Channel extends string, Item>(
  channels: readonly ScoredChannel<Channel>[],
  hits: readonly ScoredHit<Channel, Item>[],
  compare: (left: Item, right: Item) => number,
): Fused<Channel, Item>[] {
  const best = channels.map(({ channel, baseline, weight = 1 }) => ({
    channel,
    baseline,
    weight,
    score: Math.max(baseline, ...hits.map(({ scores }) => scores[channel])),
  }));
  const fused = hits.map(({ item, scores, matchedBy, confidence }) => {
    const byChannel: Partial<Record<Channel, ChannelScore>> = {};
    let sum = 0;
    for (const { channel, baseline, weight, score } of best) {
      const share = weight * partOf(scores[channel], score, baseline) * (confidence?.[channel] ?? 1);
      byChannel[channel] = { score: scores[channel], share, best: score };
      sum += share;
    }
    return { item, score: sum / channels.length, matchedBy, channels: byChannel };
  });
  return fused.sort((left, right) => right.score - left.score || compare(left.item, right.item));
}

/** The part of the best score of its channel that a score is, 0 to 1, both counted from the baseline. */
export function partOf(score: number, best: number, baseline: number): number {
  if (score <= baseline) return 0;
  return best <= baseline ? 1 : Math.min(1, (score - baseline) / (best - baseline));
}
