/** Splits identifiers into words (spec 20 S6): `retryPolicy`, `retry_policy`, `HTTPServer2`, `sha256`. */

// A word with more pieces is a token or an encoded value, and its pieces mean nothing.
const maxParts = 12;

// Fast path: most words are plain.
const plainWord = /^[A-Z]?[a-z]+$/;
const hump = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu;
const hasHump = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const hasDigit = /\p{N}/u;
const onlyDigits = /^\p{N}+$/u;
// A shorter name before a number is an abbreviation: `IPv4` is not `IPv6`.
const minNameLength = 5;
// At least two letters, so that hexadecimal ids do not split into single letters and digits.
const nameAndNumber = /^(?:([\p{L}\p{M}]{2,})(\p{N}+)|(\p{N}+)([\p{L}\p{M}]{2,}))$/u;

/** A split identifier: `whole` joins the parts, so that `retry_policy` and `retryPolicy` are equal in it. */
export interface Identifier {
  readonly whole: string;
  readonly parts: readonly string[];
}

/** Splits a word and keeps its case. A plain word has no parts; `whole` is empty for a word of underscores. */
export function splitIdentifier(word: string): Identifier {
  if (plainWord.test(word) || !mayHaveParts(word)) return { whole: word, parts: [] };
  const segments = word.split('_').filter((segment) => segment !== '');
  const parts = segments.flatMap(splitHumps).flatMap(splitNumber);
  const usable = parts.length > 1 && parts.length <= maxParts;
  const whole = segments.join('');
  return { whole, parts: usable ? [...parts, ...nameOf(whole, parts)] : [] };
}

/** The name without its final number, if it has parts of its own: `postgresql` also finds `PostgreSQL16`. */
function nameOf(whole: string, parts: readonly string[]): string[] {
  const number = parts.at(-1) ?? '';
  if (parts.length < 3 || !onlyDigits.test(number)) return [];
  const name = whole.slice(0, -number.length);
  return name.length >= minNameLength ? [name] : [];
}

function mayHaveParts(word: string): boolean {
  return word.includes('_') || hasHump.test(word) || hasDigit.test(word);
}

function splitHumps(segment: string): string[] {
  return hasHump.test(segment) ? (segment.match(hump) ?? [segment]) : [segment];
}

function splitNumber(part: string): string[] {
  const match = hasDigit.test(part) ? nameAndNumber.exec(part) : null;
  return match === null ? [part] : match.slice(1).filter((piece) => piece !== undefined);
}
