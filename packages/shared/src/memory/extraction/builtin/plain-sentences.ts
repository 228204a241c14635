import { normalizeText } from '@continuity/kernel/text';
import { hasCredentialOrMask } from './credential-mask.ts';
import { isLongEnough } from './cut.ts';
import { unitsOf } from './units.ts';

/**
 * Returns the list items and sentences of a text, in order and without the names of speakers. Each has at least 3 words or 4 CJK
 * characters (spec 20 X2, X4). Excludes headings, code, logs, bare URLs and credentials.
 */
export function plainSentences(text: string): string[] {
  return unitsOf({ text, speaker: null })
    .map((unit) => normalizeText(unit.text))
    .filter((sentence) => isLongEnough(sentence, 'conversation') && !hasCredentialOrMask(sentence));
}
