/** Character class (for a `u` or `v` expression) of the scripts whose length is counted in characters: Han, Kana, Hangul, Bopomofo. */
export const cjkCharacters =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}';

/** Scripts of languages that write words without spaces, beside CJK. */
const unspacedPattern = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

const cjkCharacterPattern = new RegExp(`[${cjkCharacters}]`, 'gu');
const wordPattern = /[\p{L}\p{M}\p{N}_]+(?:['’.-][\p{L}\p{M}\p{N}_]+)*/gu;
// Ideographic and full-width punctuation.
const cjkPunctuation =
  '\\u3001\\u3002\\u3008-\\u3011\\u3014-\\u301B\\uFF01\\uFF08\\uFF09\\uFF0C\\uFF1A\\uFF1B\\uFF1F\\uFF61-\\uFF64';
const cjkEdge = new RegExp(`^[${cjkCharacters}${cjkPunctuation}]$`, 'u');

/** Targets of Markdown links and images, and tags. They do not count as words. */
const markupPattern = /\]\([^()\s]*\)|<[^<>]*>/g;
const urlPattern = /\b[a-z]+:\/\/\S+/gi;

/** Number of words in other scripts than CJK. `don't`, `v1.2`, `re-run` and a URL count as one word each, markup as none. */
export function countWords(text: string): number {
  const plain = text.replace(markupPattern, ' ').replace(urlPattern, 'url').replace(cjkCharacterPattern, ' ');
  return plain.match(wordPattern)?.length ?? 0;
}

/** Number of CJK characters. */
export function countCjk(text: string): number {
  return text.match(cjkCharacterPattern)?.length ?? 0;
}

/** Number of characters of Thai, Lao, Khmer and Burmese, whose words have no space between them. */
export function countUnspaced(text: string): number {
  return text.match(unspacedPattern)?.length ?? 0;
}

/** Whether a text ends with a CJK character or its punctuation. */
export function endsInCjk(text: string): boolean {
  return cjkEdge.test(text.at(-1) ?? '');
}

/** Whether no space belongs between two adjacent characters. Korean has spaces between words. */
export function canJoinWithoutSpace(before: string, after: string): boolean {
  const isHangul = /\p{Script=Hangul}/u;
  return cjkEdge.test(before) && cjkEdge.test(after) && !isHangul.test(before) && !isHangul.test(after);
}
