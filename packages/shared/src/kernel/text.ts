import { composeText } from './compose.ts';

/** Number of Unicode code points, the unit of the contract's `str(a..b)`. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) length += 1;
    else if (isLowSurrogate(text.charCodeAt(index + 1))) {
      length += 1;
      index += 1;
    } else length += 1;
  }
  return length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const notWhite = /[^\p{White_Space}\uFEFF]/u;

/** True when the text holds no character but white space (Unicode White_Space, and U+FEFF). */
export function isBlank(text: string): boolean {
  return !notWhite.test(text);
}

/**
 * The text without Unicode White_Space and U+FEFF at both ends; `trim()` would leave U+0085. A loop, because a regular
 * expression for the end backtracks quadratically over runs of spaces inside.
 */
export function trimWhite(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && !notWhite.test(text.charAt(start))) start += 1;
  while (end > start && !notWhite.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The text without Unicode White_Space and U+FEFF at its end. */
export function trimWhiteEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !notWhite.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** NFC, then trimmed: the form in which text, kind, reason and query are checked and kept (spec 20 M9 to M11, S2). */
export function normalizeText(text: string): string {
  return trimWhite(composeText(text));
}

/** Length in UTF-8 bytes, the unit of the limit of Memory text (spec 20 M9). */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** True for text that has no UTF-8 form and therefore can be neither stored nor hashed. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

/** Orders text code point by code point, as collation "C" does. `<` would order by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
