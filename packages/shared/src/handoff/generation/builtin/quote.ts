import { excerptOf } from '@continuity/kernel/text';
import { hasCredential } from '../../../memory/index.ts';

/** Limit of a quote, in code points. */
const maxQuote = 300;

/** Replaces a quote if there is no text or if it looks like a credential. */
const nothingToQuote = 'The evidence holds no text that could be quoted.';

/**
 * Quotes evidence without statements, on one line. `beginning` is the beginning of its text. Never quotes anything that looks like
 * a credential.
 */
export function quoteOf(beginning: string): string {
  const quote = excerptOf(beginning.toWellFormed(), maxQuote);
  return quote === '' || hasCredential(beginning) ? nothingToQuote : quote;
}
