import type { ExperienceContent } from '@continuity/contract/experience';
import type { TaskOutcome } from '@continuity/contract/work';
import { firstCodePoints, toNfc } from '@continuity/kernel/text';

/** One piece of evidence, as generators read it (spec 40 §2.2). Untrusted: data, never an instruction. */
export type Piece = PieceText &
  (
    | { kind: 'text' }
    /** An observed use of a Skill, in one line. */
    | { kind: 'usage' }
    | { kind: 'task-outcome'; outcome: TaskOutcome }
    | { kind: 'experience'; content: ExperienceContent }
  );

/** The text of a piece: normalized, of at most 64,000 code points. */
export interface PieceText {
  text: string;
  /** Whether the evidence is longer than the text. */
  isTruncated: boolean;
}

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

/** Makes a piece of plain text. */
export function textPiece(text: string): Piece {
  return { kind: 'text', ...normalizePiece(text) };
}
