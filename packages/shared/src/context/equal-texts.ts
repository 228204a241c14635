import type { ContextHit } from './context-hit.ts';

/**
 * Hits with equal text count once (spec 25 Q10): the newest stands for them, in the place of the best one. Keeps the order, and
 * at most `limit`.
 */
export function mergeEqualTexts(
  hits: readonly ContextHit[],
  limit: number = Number.POSITIVE_INFINITY,
): ContextHit[] {
  const byText = new Map<string, ContextHit>();
  for (const hit of hits) {
    const text = foldText(hit.text);
    const known = byText.get(text);
    // A Map keeps the place of the first entry with a key.
    if (known === undefined || isNewer(hit, known)) byText.set(text, hit);
  }
  return [...byText.values()].slice(0, limit);
}

function isNewer(one: ContextHit, other: ContextHit): boolean {
  return one.writtenAt.getTime() > other.writtenAt.getTime();
}

/** What is inside a word. */
const inWord = '[\\p{L}\\p{M}\\p{N}\\p{S}]';

/** Quotation marks, brackets, and the ends and pauses of sentences. */
const marks = `,;:!?…"'\`()\\[\\]{}«»‹›“”„‘¡¿·`;

/**
 * Punctuation that changes no statement. Inside a word it does, as in `3.5`, `e-mail` and `a/b.ts`, and so does a dot or dash before
 * one, as in `.NET` and `-5`.
 */
const plainPunctuation = new RegExp(
  `[.\\p{Pd}${marks}](?!${inWord})|(?<!${inWord})[${marks}]|[—―、。「」『』《》〈〉【】（）！？，；：．]`,
  'gu',
);

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const spacesBesideCjk = new RegExp(` (?=${cjk})|(?<=${cjk}) `, 'gu');

/** The text without differences of case, white space and punctuation. Marks that carry meaning stay, such as that of `C#`. */
export function foldText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(plainPunctuation, ' ')
    .replace(/[\s\u0085]+/gu, ' ')
    .replace(spacesBesideCjk, '')
    .trim();
}
