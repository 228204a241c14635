import { utf8Length } from './text.ts';

/** The token estimator (spec 20 P13). Estimates of different estimators or versions cannot be compared. */
export const tokenEstimator = { estimator_id: 'character:weighted', version: '1' } as const;

/** Weights: an ASCII code point is 1, any other is 4, and a token is 4. */
const tokenWeight = 4;
const nonAsciiWeight = 4;

/** Estimates the tokens of a text: the weights of its code points over the weight of a token, rounded up. */
export function estimateTokens(text: string): number {
  // Fast path for ASCII.
  if (utf8Length(text) === text.length) return Math.ceil(text.length / tokenWeight);
  let weight = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) weight += 1;
    // The high surrogate counts for the pair.
    else if (!isLowSurrogate(unit)) weight += nonAsciiWeight;
  }
  return Math.ceil(weight / tokenWeight);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
