import { toNfc } from '../kernel/nfc.ts';
import type { PieceText } from './piece.ts';

/** Limit of the text of one piece of evidence, in code points (spec 40 §2 rule 1). */
export const maxPieceText = 64_000;

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
const controls = /(?!\n)\p{Cc}/gu;

/** Cuts a text, and brings it into NFC with LF as the only line break and no other control character (spec 40 §2.2). */
export function normalizePiece(text: string): PieceText {
  const cut = firstCodePoints(text, maxPieceText);
  return { text: normalizeLines(cut), isCut: cut !== text };
}

/** Brings a text into NFC, with LF as the only line break and spaces for other control characters. */
export function normalizeLines(text: string): string {
  return toNfc(text).replace(lineBreaks, '\n').replace(controls, ' ');
}

/** The first `count` code points of a text. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let points = 0; points < count && end < text.length; points += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

const whiteRuns = /[\p{White_Space}\uFEFF]+/gu;

/** A text on one line: each run of white space becomes one space. */
export function toOneLine(text: string): string {
  return text.replace(whiteRuns, ' ');
}
