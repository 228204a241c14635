import { codePointLength, trimWhite } from '@continuity/contract/text';
import { toNfc } from './nfc.ts';

/** NFC without white space at both ends: the form of text, kind, reason and query (spec 20 M9 to M11, S2). */
export function normalizeText(text: string): string {
  return trimWhite(toNfc(text));
}

const whiteRuns = /[\p{White_Space}\uFEFF]+/gu;

/** Puts a text on one line: each run of white space becomes one space, and both ends have none. */
export function toOneLine(text: string): string {
  return trimWhite(text.replace(whiteRuns, ' '));
}

/** Puts a text on one line of at most `maxLength` code points. A longer line is truncated and ends in an ellipsis. */
export function excerptOf(text: string, maxLength: number): string {
  const line = toOneLine(text);
  return codePointLength(line) <= maxLength ? line : `${firstCodePoints(line, maxLength - 1)}…`;
}

/** The first `count` code points of a text. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let points = 0; points < count && end < text.length; points += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The first `count` UTF-16 units of a text, or one less if the last of them is the first half of a surrogate pair. */
export function firstUtf16Units(text: string, count: number): string {
  const last = text.charCodeAt(count - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? count - 1 : count);
}

/** Length in UTF-8 bytes, the unit of the limit of Memory text (spec 20 M9). */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Compares by code points, like collation "C"; `<` compares by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Longest name or pattern in an error message: one long name could otherwise appear in each of many issues. */
const maxLength = 128;

/** A key for the path of an issue. */
export function truncateKey(key: PropertyKey): PropertyKey {
  if (typeof key !== 'string' || key.length <= maxLength) return key;
  return `${key.slice(0, maxLength).toWellFormed()}…`;
}

/** A name or pattern in quotes for the message of an issue. */
export function quoteTruncated(text: string): string {
  return JSON.stringify(truncateKey(text));
}

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
