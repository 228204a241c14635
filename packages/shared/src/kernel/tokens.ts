import { utf8Length } from './text.ts';

/** What weighs texts in tokens (spec 20 P13): its sums are comparable with those of no other estimator, or version. */
export const tokenEstimator = { estimator_id: 'character:weighted', version: '1' } as const;

/** Code points of ASCII that make a token, and how many of them another code point counts for. */
const perToken = 4;
const weightOfOther = 4;

/** Tokens of a text by `tokenEstimator`: an ASCII code point weighs 1, any other 4; a quarter of the sum, rounded up. */
export function estimateTokens(text: string): number {
  // Most texts are ASCII, and their bytes are counted in no time.
  if (utf8Length(text) === text.length) return Math.ceil(text.length / perToken);
  let weight = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) weight += 1;
    // A code point of two units is counted by its first.
    else if (!isLowSurrogate(unit)) weight += weightOfOther;
  }
  return Math.ceil(weight / perToken);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
