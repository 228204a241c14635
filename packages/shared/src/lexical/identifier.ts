/** The words inside an identifier (spec 20 S6): `retryPolicy`, `retry_policy`, `HTTPServer2`, `sha256`. */

// More pieces than that is a token or an encoded value, and its pieces say nothing.
const maxParts = 12;

// Most words of most texts.
const plainWord = /^[A-Z]?[a-z]+$/;
const hump = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu;
const hasHump = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const hasDigit = /\p{N}/u;
const onlyDigits = /^\p{N}+$/u;
// A shorter name before a number is an abbreviation, and `IPv4` is not `IPv6`.
const leastName = 5;
// Two letters at least, so that hexadecimal ids do not fall into single letters and digits.
const nameAndNumber = /^(?:([\p{L}\p{M}]{2,})(\p{N}+)|(\p{N}+)([\p{L}\p{M}]{2,}))$/u;

/** An identifier taken apart: `whole` is the parts joined, so that `retry_policy` and `retryPolicy` meet in it. */
export interface Identifier {
  readonly whole: string;
  readonly parts: readonly string[];
}

/** Takes a word apart, case kept. A plain word has no parts; a word of nothing but `_` is an empty whole. */
export function splitIdentifier(word: string): Identifier {
  if (plainWord.test(word) || !mayHaveParts(word)) return { whole: word, parts: [] };
  const segments = word.split('_').filter((segment) => segment !== '');
  const parts = segments.flatMap(splitHumps).flatMap(splitNumber);
  const usable = parts.length > 1 && parts.length <= maxParts;
  const whole = segments.join('');
  return { whole, parts: usable ? [...parts, ...nameOf(whole, parts)] : [] };
}

/** Without the number that it ends in, if that has parts of its own: `PostgreSQL16` is also found as `postgresql`. */
function nameOf(whole: string, parts: readonly string[]): string[] {
  const number = parts.at(-1) ?? '';
  if (parts.length < 3 || !onlyDigits.test(number)) return [];
  const name = whole.slice(0, -number.length);
  return name.length >= leastName ? [name] : [];
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
