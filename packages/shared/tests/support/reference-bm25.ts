import { analyzeQuery, requiredTerms } from '../../src/search/index.ts';
import { analyzeText } from './analyze-text.ts';

/** A text with its BM25 score. */
export interface ScoredText {
  text: string;
  score: number;
}

/**
 * BM25 as the textbook has it, by looking at every text (spec 20 S7, S8): a plain reference for the statements of search.
 * Best first, without texts that hold too few query terms.
 */
export function referenceSearch(
  texts: readonly string[],
): (query: string, required?: (n: number) => number) => ScoredText[] {
  const [k1, b] = [0.9, 0.4];
  const analyzed = texts.map((text) => ({ text, ...analyzeText(text) }));
  const averageLength = analyzed.reduce((sum, { length }) => sum + length, 0) / analyzed.length;
  const documentFrequencies = new Map<string, number>();
  for (const { terms } of analyzed)
    for (const key of terms.keys()) documentFrequencies.set(key, (documentFrequencies.get(key) ?? 0) + 1);

  const scoreOfKey = (key: string, frequency: number, length: number) => {
    const n = documentFrequencies.get(key) ?? 0;
    const idf = Math.log(1 + (texts.length - n + 0.5) / (n + 0.5));
    return (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength));
  };
  return (query, required = requiredTerms) => {
    const queryTerms = analyzeQuery(query);
    const scored = analyzed.flatMap(({ text, terms, length }) => {
      const held = queryTerms.flatMap(({ keys, weights }) => {
        const scores = keys.flatMap((key, place) => {
          const frequency = terms.get(key);
          return frequency === undefined ? [] : [(weights[place] ?? 1) * scoreOfKey(key, frequency, length)];
        });
        return scores.length === 0 ? [] : [Math.max(...scores)];
      });
      if (held.length === 0 || held.length < required(queryTerms.length)) return [];
      return [{ text, score: held.reduce((sum, score) => sum + score, 0) }];
    });
    return scored.toSorted((left, right) => right.score - left.score);
  };
}

/** Scores to compare: six digits, since the statements add up in another order. */
export function roundedScores(hits: readonly { score: number }[]): string[] {
  return hits.map(({ score }) => score.toFixed(6));
}
