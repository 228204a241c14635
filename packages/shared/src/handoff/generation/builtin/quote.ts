import { looksLikeCredential } from '../../../memory/index.ts';

/** Limit of a quote, in code points. */
const maxQuote = 300;

/** Replaces a quote if there is no text or if it looks like a credential. */
const nothingToQuote = 'The evidence holds no text that could be quoted.';

/**
 * Quotes evidence without statements, on one line. `beginning` is the beginning of its text. Never quotes anything that looks like
 * a credential.
 */
export function quoteOf(beginning: string): string {
  const line = beginning
    .toWellFormed()
    .replaceAll(/[\p{White_Space}\uFEFF]+/gu, ' ')
    .trim();
  if (line === '' || looksLikeCredential(beginning)) return nothingToQuote;
  return clip(line, maxQuote);
}

/** Truncates a text to `length` code points, the ellipsis included. */
export function clip(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
