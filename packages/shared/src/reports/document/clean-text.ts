import { trimWhite } from '@continuity/contract/text';

/** CRLF, each other control character, and the line and paragraph separators. */
const breaks = /\r\n|[\p{Cc}\u2028\u2029]/gu;

/** Controls of writing direction, which could reorder the text around them. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Replaces a text that is empty after the cleaning. */
const replacement = '\uFFFD';

/**
 * Puts a stored text on one line, and removes control characters and white space at its ends (spec 30 §4.9.2). The result is never
 * empty.
 */
export function cleanText(text: string): string {
  const oneLine = text.replace(breaks, ' ').replace(directionControls, replacement);
  return trimWhite(oneLine) || replacement;
}
