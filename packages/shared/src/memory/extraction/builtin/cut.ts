import { utf8Length } from '@continuity/kernel/text';
import type { ExtractionProfile } from '../port.ts';
import { countCjk, countUnspaced, countWords, endsInCjk } from './scripts.ts';

/** Shortest statement of each profile: one of the numbers is enough (spec 20 X4). A word of Thai has about four characters. */
const enough: Record<ExtractionProfile, { words: number; cjk: number; unspaced: number }> = {
  coding: { words: 4, cjk: 6, unspaced: 16 },
  conversation: { words: 3, cjk: 4, unspaced: 12 },
};

/** Whether a text has enough words, or characters of a script without spaces, to be a statement. */
export function isLongEnough(text: string, profile: ExtractionProfile): boolean {
  const { words, cjk, unspaced } = enough[profile];
  return countWords(text) >= words || countCjk(text) >= cjk || countUnspaced(text) >= unspaced;
}

/** Mark of a text that was cut. */
const ellipsis = '…';

/** A text, and whether it is only the beginning of one. */
export interface CutText {
  text: string;
  isCut: boolean;
}

/**
 * Cuts a text of more than `maxBytes` UTF-8 bytes behind a word and marks it with `…` (spec 25 Q14). CJK text is cut behind a
 * character, and a word that takes up half of the text inside of it. The time depends on `maxBytes`, and not on the text.
 */
export function cutAtWord(text: string, maxBytes: number): CutText {
  // A UTF-16 unit takes at least one byte, so that a longer text is over the limit.
  if (text.length <= maxBytes && utf8Length(text) <= maxBytes) return { text, isCut: false };
  const beginning = firstBytes(text, maxBytes - utf8Length(ellipsis));
  const space = Math.max(...[' ', '\n', '\t', '\u3000'].map((mark) => beginning.lastIndexOf(mark)));
  const atWord =
    space > beginning.length / 2 && !endsInCjk(beginning) ? beginning.slice(0, space) : beginning;
  return { text: `${atWord.replace(/[\s,;:\u3001\uFF0C\uFF1B]{1,8}$/u, '')}${ellipsis}`, isCut: true };
}

function firstBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text.slice(0, maxBytes + 1)) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
