import { trimWhite } from '@continuity/contract/text';

/** CRLF, each other control character, and the line and paragraph separators. */
const breaks = /\r\n|[\p{Cc}\u2028\u2029]/gu;

/** Controls of writing direction, which could reorder the text around them. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Stands for a text of which nothing is left. */
const replacement = '\uFFFD';

/**
 * A stored text as a document shows it: on one line, without controls, without white space at its ends (spec 30 §4.9.2). Never
 * empty.
 */
export function cleanText(text: string): string {
  const oneLine = text.replace(breaks, ' ').replace(directionControls, replacement);
  return trimWhite(oneLine) || replacement;
}
