import type { AnalyzedQuery } from '../../search/index.ts';

/** Limit of characters of the query that a reranker gets (spec 25 Q9). */
const maxQuestionCharacters = 1_000;

/**
 * The part of a query that a reranker is asked: the segment that shares most terms with the best hit, and its two neighbors while they
 * fit. Of equal segments the last one: people ask at the end.
 */
export function questionFor(text: string, words: AnalyzedQuery, bestHit: string): string {
  const texts = words.segmentTexts();
  if (texts.length <= 1) return text.slice(0, maxQuestionCharacters).toWellFormed();
  const matches = words.matchesBySegment(bestHit);
  const best = matches.lastIndexOf(Math.max(...matches));
  let question = (texts[best] ?? '').slice(0, maxQuestionCharacters).toWellFormed();
  const [before, after] = [texts[best - 1], texts[best + 1]];
  if (before !== undefined && before.length + 1 + question.length <= maxQuestionCharacters)
    question = `${before}\n${question}`;
  if (after !== undefined && after.length + 1 + question.length <= maxQuestionCharacters)
    question = `${question}\n${after}`;
  return question;
}
