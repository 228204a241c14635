import { textOfJson } from '@continuity/kernel/json';
import { firstUtf16Units } from '@continuity/kernel/text';
import type { SourceOrigin } from '../origin.ts';
import type { EvidenceSource, KnownEntry } from '../port.ts';

/** A Source, or a slice of a long one, with its number in the window. */
export interface NumberedText {
  number: number;
  text: string;
  origin?: SourceOrigin | undefined;
}

/**
 * Splits a window into parts of at most `budget` characters of Source text each, in order (spec 20 X7). Slices longer Sources; every
 * slice keeps the number. JSON becomes its canonical text (spec 10 §8.2.3).
 */
export function splitParts(sources: readonly EvidenceSource[], budget: number): NumberedText[][] {
  const parts: NumberedText[][] = [];
  let part: NumberedText[] = [];
  let size = 0;
  for (const piece of sources.flatMap((source, index) => slicesOf(source, index + 1, budget))) {
    if (part.length > 0 && size + piece.text.length > budget) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(piece);
    size += piece.text.length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function slicesOf({ json, origin }: EvidenceSource, number: number, budget: number): NumberedText[] {
  const text = textOfJson(json);
  const slices: NumberedText[] = [];
  let start = 0;
  while (text.length - start > budget) {
    const end = start + splitPoint(text.slice(start, start + budget));
    slices.push({ number, text: text.slice(start, end), origin });
    start = end;
  }
  slices.push({ number, text: text.slice(start), origin });
  return slices;
}

/** End of a full slice: after the last line break or space of its second half, else its length, without half a surrogate pair. */
function splitPoint(slice: string): number {
  const half = slice.length / 2;
  for (const mark of ['\n', ' ']) {
    const at = slice.lastIndexOf(mark) + 1;
    if (at > half) return at;
  }
  // Never 0: the next slice would begin at the same place.
  return Math.max(1, firstUtf16Units(slice, slice.length).length);
}

/** Takes known entries in order, skipping each that exceeds the rest of `budget` characters. */
export function fitEntries(known: readonly KnownEntry[], budget: number): KnownEntry[] {
  let left = budget;
  return known.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}
