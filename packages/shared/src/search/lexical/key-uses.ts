import type { QueryAnalysis } from '../analyze/query-terms.ts';

/**
 * Bits of a _use_, an integer that says in which term of which segment a key occurs, and with which weight:
 *
 *     segment | is it the only term of the segment | term | weight in thousandths
 */
const weightBits = 10;
const termBits = 10;

/** SQL of the parts of a use: a segment together with its flag, a segment, a term by itself, and a term in a segment. */
export const useSql = {
  segmentOfTerm: (term: string): string => `(${term} >> ${termBits})`,
  segmentNumber: (term: string): string => `(${term} >> ${termBits + 1})`,
  placeOfTerm: (term: string): string => `(${term} & ${2 ** termBits - 1})`,
  term: (use: string): string => `(${use} >> ${weightBits})`,
  isOnly: (use: string): string => `((${use} >> ${weightBits + termBits}) & 1 = 1)`,
  weight: (use: string): string => `((${use} & ${2 ** weightBits - 1}) / 1000::float8)`,
};

/** The uses of each key of a query. */
export function usesByKey({ terms, segments }: QueryAnalysis): Map<string, number[]> {
  const uses = new Map<string, number[]>();
  for (const [segment, { terms: places }] of segments.entries()) {
    const flagged = 2 * segment + Number(places.length === 1);
    for (const place of places) {
      const term = (flagged << termBits) | place;
      const { keys, weights } = terms[place] ?? { keys: [], weights: [] };
      for (const [index, key] of keys.entries()) {
        const use = (term << weightBits) | Math.round((weights[index] ?? 1) * 1000);
        const known = uses.get(key);
        if (known === undefined) uses.set(key, [use]);
        else known.push(use);
      }
    }
  }
  return uses;
}
