import { trimWhite, trimWhiteEnd } from '@continuity/contract/text';
import type { Steps } from '@continuity/kernel/fairness';
import { utf8Length } from '@continuity/kernel/text';
import type { Piece } from '../piece.ts';
import { isHeading, plainLines } from './labeled-text.ts';
import { readPieces, toItems } from './read-piece.ts';

const heading = '## Observed use';
const maxItems = 32;

/** A Skill to extend by evidence of its use. */
interface UsedSkill {
  /** Text of `SKILL.md`. */
  skillFile: string;
  /** The instructions in it, without the front matter. */
  instructions: string;
  /** Limit of the extended `SKILL.md`, in bytes. */
  maxBytes: number;
}

/**
 * Adds observations from evidence to a `SKILL.md`, by rules alone (spec 40 §2.2): a pure function. It keeps all bytes except white
 * space at the end. Null if there is nothing to add, or no room.
 */
export function* addObservedUse(
  pieces: readonly Piece[],
  { skillFile, instructions, maxBytes }: UsedSkill,
): Steps<string | null> {
  const known = new Set(plainLines(instructions));
  const observations = (yield* readPieces(pieces)).flatMap((piece) => piece.observations);
  const items = (yield* toItems(observations, Number.POSITIVE_INFINITY)).filter((item) => !known.has(item));
  const start = trimWhiteEnd(skillFile) + (endsInObservedUse(instructions) ? '\n' : `\n\n${heading}\n\n`);
  const lines: string[] = [];
  let bytes = utf8Length(start);
  for (const item of items) {
    const line = `- ${item}\n`;
    if (lines.length === maxItems) break;
    const lineBytes = utf8Length(line);
    if (bytes + lineBytes > maxBytes) continue;
    lines.push(line);
    bytes += lineBytes;
  }
  return lines.length === 0 ? null : start + lines.join('');
}

/** Whether the last heading of the instructions is that of observed use. */
function endsInObservedUse(instructions: string): boolean {
  const last = instructions.split('\n').findLast(isHeading);
  return last !== undefined && trimWhite(last) === heading;
}
