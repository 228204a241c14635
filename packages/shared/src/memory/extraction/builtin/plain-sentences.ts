import { normalizeText } from '../../../kernel/text.ts';
import { credentialMark, looksLikeCredential } from './credentials.ts';
import { isLongEnough } from './length.ts';
import { unitsOf } from './units.ts';

/**
 * The list items and sentences of a text that have at least 3 words or 4 CJK characters (spec 20 X2, X4), in order and without
 * the names of their speakers. Headings, code, logs, bare URLs and credentials are none.
 */
export function plainSentences(text: string): string[] {
  return unitsOf(text)
    .map((unit) => normalizeText(unit.text))
    .filter((sentence) => isLongEnough(sentence, 'conversation') && !holdsCredential(sentence));
}

function holdsCredential(sentence: string): boolean {
  return sentence.includes(credentialMark) || looksLikeCredential(sentence);
}
