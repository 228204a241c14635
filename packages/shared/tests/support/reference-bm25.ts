import { expect } from 'vitest';
import { analyzeQuery } from '../../src/search/index.ts';
import { analyzeText } from './analyze-text.ts';

/** A text with its score. */
export interface ScoredText {
  text: string;
  score: number;
  /** The part of the weight of its segment that it holds (spec 20 S10). */
  coverage: number;
}

/**
 * Scores by looking at every text (spec 20 S8, spec 25 Q4 to Q6): a plain reference for the statements of search. Best first, of
 * equal scores the later text; without texts that no segment admits.
 */
export function referenceSearch(
  texts: readonly string[],
): (query: string, admitsAnyTerm?: boolean) => ScoredText[] {
  const [k1, b] = [0.9, 0.4];
  const analyzed = texts.map((text, place) => ({ text, place, ...analyzeText(text) }));
  const averageLength = analyzed.reduce((sum, { length }) => sum + length, 0) / analyzed.length;
  const countKeys = (counted: readonly { terms: ReadonlyMap<string, number> }[]) => {
    const counts = new Map<string, number>();
    for (const { terms } of counted)
      for (const key of terms.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return (key: string) => counts.get(key) ?? 0;
  };
  const frequencyOf = countKeys(analyzed);
  const byWords = new Map(analyzed.map((each) => [[...each.terms.keys()].toSorted().join('\n'), each]));
  const distinctOf = texts.length <= 64 ? countKeys([...byWords.values()]) : frequencyOf;
  const isRare = (key: string) => distinctOf(key) <= Math.max(3, texts.length / 50);

  const idfOf = (key: string) => {
    const n = frequencyOf(key);
    return Math.log(1 + (texts.length - n + 0.5) / (n + 0.5));
  };
  const scoreOfKey = (key: string, frequency: number, length: number) => {
    return (idfOf(key) * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength));
  };
  return (query, admitsAnyTerm = false) => {
    const { terms: queryTerms, segments } = analyzeQuery(query);
    const scored = analyzed.flatMap(({ text, place, terms, length }) => {
      const weightOf = (at: number, isCounted: (key: string) => boolean) => {
        const { keys = [], weights = [] } = queryTerms[at] ?? {};
        return Math.max(
          0,
          ...keys.map((key, index) => (isCounted(key) ? (weights[index] ?? 1) * idfOf(key) : 0)),
        );
      };
      const weightInSegment = (at: number) => {
        const { keys = [], weights = [] } = queryTerms[at] ?? {};
        const forms = keys.filter((key, index) => weights[index] === 1 && frequencyOf(key) > 0);
        return Math.max(...(forms.length > 0 ? forms : ['no entry holds it']).map(idfOf));
      };
      const coverageOf = (places: readonly number[]) => {
        const all = places.map(weightInSegment).toSorted((left, right) => right - left);
        const held = places.map((at) => weightOf(at, (key) => terms.has(key)));
        return Math.min(1, sumOf(held) / sumOf(all.slice(0, 8)));
      };
      const scoreOfSegment = (places: readonly number[]) => {
        const held = places.flatMap((at) => {
          const { keys = [], weights = [] } = queryTerms[at] ?? {};
          const heldKeys = keys.flatMap((key, index) => {
            const frequency = terms.get(key);
            return frequency === undefined
              ? []
              : [{ key, score: (weights[index] ?? 1) * scoreOfKey(key, frequency, length) }];
          });
          if (heldKeys.length === 0) return [];
          return [
            {
              score: Math.max(...heldKeys.map(({ score }) => score)),
              rare: heldKeys.some(({ key }) => isRare(key)),
            },
          ];
        });
        const admits =
          held.length >= 2 || (held.length === 1 && (places.length === 1 || admitsAnyTerm || held[0]?.rare));
        return admits ? [{ score: sumOf(held.map(({ score }) => score)), coverage: coverageOf(places) }] : [];
      };
      const scores = segments.flatMap(({ terms: places }) => scoreOfSegment(places));
      const [best] = scores.toSorted((left, right) => right.score - left.score);
      return best === undefined ? [] : [{ text, place, ...best }];
    });
    const isTie = (left: number, right: number) => Math.abs(left - right) < 1e-9;
    return scored
      .toSorted((left, right) =>
        isTie(left.score, right.score) ? right.place - left.place : right.score - left.score,
      )
      .map(({ text, score, coverage }) => ({ text, score, coverage }));
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The scores, to compare with `closeScores`. */
export function scoresOf(hits: readonly { score: number }[]): number[] {
  return hits.map(({ score }) => score);
}

/** Scores to expect: equal in eight digits, since the statements add up multiples of 2^-32. */
export function closeScores(expected: readonly { score: number }[]): unknown[] {
  return expected.map(({ score }) => expect.closeTo(score, 8));
}
