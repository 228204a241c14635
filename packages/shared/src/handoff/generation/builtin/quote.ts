import { isBlank } from '@continuity/contract';
import { canonicalJson, type JsonValue } from '@continuity/shared/kernel';
import { looksLikeCredential, sourceTexts } from '../../../memory/index.ts';

/** Limit of a quote, in code points. */
const maxQuote = 300;

/** Limit of characters to examine for a quote. */
const maxExamined = 4_000;

/** Replaces a quote if there is no text or if it looks like a credential. */
const nothingToQuote = 'The evidence holds no text that could be quoted.';

/** Quotes the beginning of evidence without statements, on one line. Never quotes anything that looks like a credential. */
export function quoteOf(content: JsonValue): string {
  const text = sourceTexts(content).find((one) => !isBlank(one)) ?? canonicalJson(content);
  const line = text
    .slice(0, maxExamined)
    .toWellFormed()
    .replaceAll(/[\p{White_Space}\uFEFF]+/gu, ' ')
    .trim();
  if (line === '' || looksLikeCredential(text.slice(0, maxExamined))) return nothingToQuote;
  return clip(line, maxQuote);
}

/** Truncates a text to `length` code points, the ellipsis included. */
export function clip(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
