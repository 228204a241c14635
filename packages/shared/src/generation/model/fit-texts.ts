import { codePointLength } from '@continuity/contract/text';
import { firstCodePoints } from '@continuity/kernel/text';

/** Limit of the evidence of one request to a model, in code points (spec 40 G1). */
export const maxEvidence = 240_000;

/** Truncates the longest texts to one common length, so that all together have at most `budget` code points. */
export function fitTexts(texts: readonly string[], budget: number): string[] {
  const limit = commonLimit(texts.map(codePointLength), budget);
  return texts.map((text) => firstCodePoints(text, limit));
}

function commonLimit(lengths: readonly number[], budget: number): number {
  const shortestFirst = lengths.toSorted((left, right) => left - right);
  let left = Math.max(budget, 0);
  for (const [place, length] of shortestFirst.entries()) {
    const share = Math.floor(left / (shortestFirst.length - place));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
