/**
 * BM25 as lexical search ranks with it (spec 20 S8). The one place of the formula; SQL that computes it repeats
 * `termScore` with these two constants.
 *
 *     score(entry, query) = sum over query terms of ( max over the term's keys that the entry holds of weight * termScore )
 *     termScore           = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / averageLength))
 *     idf                 = ln(1 + (N - n + 0.5) / (n + 0.5))
 *
 * The keys of one query term are forms of one word, so the best of them counts and not their sum; each with its own
 * `n`, so that a rare form is worth more than a common one. The weight is that of `QueryTerm`.
 */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** What BM25 knows about a Scope: its active entries and the sum of their document lengths. */
export interface Corpus {
  readonly entries: number;
  readonly totalLength: number;
}

/** Weight of a key that `holders` of the Scope's `entries` hold; positive, also for a key that all hold. */
export function inverseFrequency(entries: number, holders: number): number {
  return Math.log(1 + (entries - holders + 0.5) / (holders + 0.5));
}

/**
 * Score of one key in one entry: `frequency` is how often the entry holds it (0 gives 0), `length` the entry's
 * document length, `holders` the number of active entries of the Scope that hold the key. Finite and not negative.
 */
export function termScore(
  match: { readonly frequency: number; readonly length: number; readonly holders: number },
  corpus: Corpus,
): number {
  if (match.frequency === 0) return 0;
  const average = corpus.totalLength / corpus.entries;
  const relativeLength = average > 0 ? match.length / average : 1;
  const saturation = match.frequency + bm25.k1 * (1 - bm25.b + bm25.b * relativeLength);
  return (inverseFrequency(corpus.entries, match.holders) * match.frequency * (bm25.k1 + 1)) / saturation;
}
