import type { ExtractionProfile } from '../port.ts';
import { countCjk, countWords } from './scripts.ts';

/** Shortest statement of each profile: either number is enough (spec 20 X4). */
const enough: Record<ExtractionProfile, { words: number; cjk: number }> = {
  coding: { words: 4, cjk: 6 },
  conversation: { words: 3, cjk: 4 },
};

/** Whether a text has enough words or CJK characters to be a statement. */
export function isLongEnough(text: string, profile: ExtractionProfile): boolean {
  return countWords(text) >= enough[profile].words || countCjk(text) >= enough[profile].cjk;
}
