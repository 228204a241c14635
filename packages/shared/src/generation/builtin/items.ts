import { excerptOf } from '@continuity/shared/kernel';
import { looksLikeCredential } from '../../memory/index.ts';

/** Limit of an item, in code points. */
const maxItem = 300;

/** The first `max` distinct items of a section (spec 40 §2.2). An item is one line. */
export function toItems(lines: readonly string[], max: number): string[] {
  const items = lines
    .map((line) => excerptOf(line, maxItem))
    // After the excerpt: a truncated text may look like a credential where the whole one does not.
    .filter((item) => !looksLikeCredential(item));
  return [...new Set(items)].slice(0, max);
}
