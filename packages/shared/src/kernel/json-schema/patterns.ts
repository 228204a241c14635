import { RE2JS } from 're2js';

/** A pattern that no engine of linear time runs, or that is none. The message completes "the pattern …". */
export class PatternRefused extends Error {
  override name = 'PatternRefused';
}

/** Whether a text holds a match anywhere, in time linear to its length. */
export interface LinearPattern {
  test(text: string): boolean;
}

/** White space as ECMAScript has it; RE2's own `\s` is that of ASCII. */
const white =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notWhite =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** What RE2 writes, or means, in another way than ECMAScript: outside of a class, and inside one. */
const outside = new Map([
  ['\\s', `[${white}]`],
  ['\\S', `[${notWhite}]`],
  ['.', '[^\\n\\r\\x{2028}\\x{2029}]'],
]);
const inside = new Map([
  ['\\s', white],
  ['\\S', notWhite],
  ['\\b', '\\x{8}'],
  ['[', '\\['],
]);

/**
 * Compiles an ECMAScript pattern (with the flag `u`, as JSON Schema reads them) for RE2, which needs no backtracking:
 * look-around and back-references are refused. Throws `PatternRefused`.
 */
export function compilePattern(pattern: string): LinearPattern {
  try {
    // What is no pattern to ECMAScript would mean something of RE2's own. This parses, and runs nothing.
    new RegExp(pattern, 'u');
  } catch {
    throw new PatternRefused('is no regular expression');
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(rewrite(pattern)));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new PatternRefused('cannot be run in linear time, or is too large: use what RE2 takes');
  }
}

/** An escape, a pair of escaped surrogates, the name of a group, or one character. */
const token = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\.|./gsu;

function rewrite(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(token, (part) => {
    if (part === '\\k')
      throw new SyntaxError('A named back-reference, which the translation would take for a letter.');
    const known = (isInClass ? inside : outside).get(part);
    if (part === '[' && !isInClass) isInClass = true;
    else if (part === ']') isInClass = false;
    return (
      known ?? (part.startsWith('\\u') && part.length === 12 ? surrogatePair(part) : scriptOrCategory(part))
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
