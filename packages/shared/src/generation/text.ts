import { firstCodePoints, toNfc } from '@continuity/kernel/text';
import type { PieceText } from './piece.ts';

/** Limit of the text of one piece of evidence, in code points (spec 40 G1). */
export const maxPieceText = 64_000;

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
const controls = /(?!\n)\p{Cc}/gu;

/** Truncates a text to `maxPieceText` and normalizes its lines (spec 40 §2.2). */
export function normalizePiece(text: string): PieceText {
  const beginning = firstCodePoints(text, maxPieceText);
  return { text: normalizeLines(beginning), isTruncated: beginning !== text };
}

/** Brings a text into NFC, with LF as the only line break and spaces for other control characters. */
export function normalizeLines(text: string): string {
  return toNfc(text).replace(lineBreaks, '\n').replace(controls, ' ');
}
