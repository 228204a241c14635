import { RE2JS } from 're2js';

/** A string that is not a regular expression, or one that RE2 cannot run. The message completes "the pattern …". */
export class UnsupportedPatternError extends Error {
  override name = 'UnsupportedPatternError';
}

/** A compiled regular expression. */
export interface LinearPattern {
  /** True if the text contains a match. Takes time linear in the length of the text. */
  test(text: string): boolean;
}

/** White space of ECMAScript; the `\s` of RE2 matches ASCII only. */
const whiteSpace =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notWhiteSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** Translations of tokens whose syntax or meaning differs between ECMAScript and RE2, outside and inside a character class. */
const outsideClass = new Map([
  ['\\s', `[${whiteSpace}]`],
  ['\\S', `[${notWhiteSpace}]`],
  ['.', '[^\\n\\r\\x{2028}\\x{2029}]'],
]);
const insideClass = new Map([
  ['\\s', whiteSpace],
  ['\\S', notWhiteSpace],
  ['\\b', '\\x{8}'],
  ['[', '\\['],
]);

/**
 * Compiles an ECMAScript regular expression (with the flag `u`, as JSON Schema demands) for RE2, which does not backtrack.
 * Throws `UnsupportedPatternError`, for example for look-around and back-references.
 */
export function compilePattern(pattern: string): LinearPattern {
  try {
    // RE2 has syntax of its own that ECMAScript refuses. The constructor only parses the pattern.
    new RegExp(pattern, 'u');
  } catch {
    throw new UnsupportedPatternError('is not a regular expression');
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(rewrite(pattern)));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnsupportedPatternError('is not supported by RE2, or is too large');
  }
}

/** An escaped surrogate pair, a Unicode property, another escape, or one character. */
const token = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\.|./gsu;

function rewrite(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(token, (part) => {
    if (part === '\\k') throw new SyntaxError('RE2JS translates a named back-reference into a letter.');
    const translated = (isInClass ? insideClass : outsideClass).get(part);
    if (part === '[' && !isInClass) isInClass = true;
    else if (part === ']') isInClass = false;
    return (
      translated ??
      (part.startsWith('\\u') && part.length === 12 ? surrogatePair(part) : scriptOrCategory(part))
    );
  });
}

function surrogatePair(escapes: string): string {
  const [high, low] = [escapes.slice(2, 6), escapes.slice(8)].map((hex) => Number.parseInt(hex, 16));
  const point = String.fromCharCode(high ?? 0, low ?? 0).codePointAt(0) ?? 0;
  return `\\x{${point.toString(16)}}`;
}

/** `\p{Script=Greek}` is `\p{Greek}` to RE2. */
function scriptOrCategory(part: string): string {
  return part.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, '$1');
}
