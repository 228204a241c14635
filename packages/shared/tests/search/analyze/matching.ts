import { analyzeQuery } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';

/** How many query terms an entry holds: of the segment of which it holds most. */
export function countMatches(query: string, entry: string): number {
  return Math.max(0, ...matchesBySegment(query, entry).map(({ held }) => held));
}

/** Whether lexical search admits an entry for a query in whose corpus no word is rare (spec 25 Q4). */
export function finds(query: string, entry: string): boolean {
  return matchesBySegment(query, entry).some(({ held, count }) => held >= Math.min(2, count));
}

function matchesBySegment(query: string, entry: string): { held: number; count: number }[] {
  const held = analyzeText(entry).terms;
  const { terms, segments } = analyzeQuery(query);
  return segments.map(({ terms: places }) => ({
    held: places.filter((place) => terms[place]?.keys.some((key) => held.has(key))).length,
    count: places.length,
  }));
}
