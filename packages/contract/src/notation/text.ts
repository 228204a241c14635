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

/** Whether a text consists of white space only (Unicode White_Space and U+FEFF). */
export function isBlank(text: string): boolean {
  return !notWhite.test(text);
}

/**
 * Removes Unicode White_Space and U+FEFF at both ends; `trim()` keeps U+0085. A loop, because a regular expression for the end
 * backtracks quadratically over inner runs of spaces.
 */
export function trimWhite(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && !notWhite.test(text.charAt(start))) start += 1;
  while (end > start && !notWhite.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Removes Unicode White_Space and U+FEFF at the end. */
export function trimWhiteEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !notWhite.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
