import { isBlank } from '@continuity/contract';
import { canonicalJson, type JsonValue } from '@continuity/shared/kernel';
import { looksLikeCredential, sourceTexts } from '../../../memory/index.ts';

/** Longest quote, in code points. */
const maxQuote = 300;

/** How far a text is looked into for its beginning. */
const maxLook = 4_000;

/** What stands for evidence of which nothing may be quoted. */
const nothingToQuote = 'The evidence holds no text that could be quoted.';

/** The beginning of evidence that has no statement of its own, on one line. Nothing that looks like a credential. */
export function quoteOf(content: JsonValue): string {
  const text = sourceTexts(content).find((one) => !isBlank(one)) ?? canonicalJson(content);
  const line = text
    .slice(0, maxLook)
    .toWellFormed()
    .replaceAll(/[\p{White_Space}\uFEFF]+/gu, ' ')
    .trim();
  if (line === '' || looksLikeCredential(text.slice(0, maxLook))) return nothingToQuote;
  return clip(line, maxQuote);
}

/** At most `length` code points; a cut shows. */
export function clip(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
