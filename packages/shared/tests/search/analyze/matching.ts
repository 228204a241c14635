import { analyzeQuery, requiredTerms } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';

/** How many query terms an entry holds. */
export function countMatches(query: string, entry: string): number {
  const { terms } = analyzeText(entry);
  return analyzeQuery(query).filter(({ keys }) => keys.some((key) => terms.has(key))).length;
}

/** Whether lexical search admits an entry for a query (spec 20 S7). */
export function finds(query: string, entry: string): boolean {
  const wanted = analyzeQuery(query).length;
  return wanted > 0 && countMatches(query, entry) >= requiredTerms(wanted);
}
