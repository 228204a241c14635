import type { QuotedLine } from './quotes.ts';
import { isPlanned, parseStampedName } from './speakers.ts';

/** Fewest lines with a name and a time that make a text a copied chat. */
const leastStampedNames = 2;

/** The speakers of a copied chat, by the numbers of the lines that name them with a time. Each has a text directly below it. */
export function stampedNames(lines: readonly QuotedLine[]): Map<number, string> {
  const names = new Map<number, string>();
  for (const [at, { text }] of lines.entries()) {
    const speaker = parseStampedName(text);
    const next = lines[at + 1]?.text ?? '';
    const isSpeaker = speaker !== null && !isPlanned(speaker);
    if (isSpeaker && next !== '' && parseStampedName(next) === null) names.set(at, speaker);
  }
  return names.size < leastStampedNames ? new Map() : names;
}
