import { isBlank } from '../notation/text.ts';

/** Longest content of a Source, in characters, and the most parts that a longer text is split into (spec 70 §2.3). */
export const maxPartCharacters = 200_000;
export const maxParts = 16;

/** NUL, and surrogates without their other half. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Replaces what no Source can hold, NUL and lone surrogates, by U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(unstorable, '\uFFFD');
}

/** As `toStorableText`, with the number of characters that it replaced. */
export function replaceUnstorable(text: string): { text: string; replaced: number } {
  let replaced = 0;
  const storable = text.replace(unstorable, () => {
    replaced += 1;
    return '\uFFFD';
  });
  return { text: storable, replaced };
}

/**
 * Splits a storable text into at most 16 parts of at most 200,000 characters, each after its last line break if it has one. Joined, the
 * parts are the text without the `omittedCharacters` at its end. A blank part is omitted, because no Source is blank.
 */
export function splitText(text: string): { parts: string[]; omittedCharacters: number } {
  const parts: string[] = [];
  let omittedCharacters = 0;
  let start = 0;
  while (start < text.length && parts.length < maxParts) {
    const end = endOfPart(text, start);
    const part = text.slice(start, end);
    if (isBlank(part)) omittedCharacters += countCharacters(part);
    else parts.push(part);
    start = end;
  }
  return { parts, omittedCharacters: omittedCharacters + countCharacters(text.slice(start)) };
}

function endOfPart(text: string, start: number): number {
  // A character has one or two units, so a short rest needs no counting.
  if (text.length - start <= maxPartCharacters) return text.length;
  let end = start;
  for (let count = 0; count < maxPartCharacters && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  if (end >= text.length) return text.length;
  const lineBreak = text.lastIndexOf('\n', end - 1);
  return lineBreak < start ? end : lineBreak + 1;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
