import type { Steps } from '@continuity/kernel/fairness';
import { excerptOf } from '@continuity/kernel/text';
import { hasCredential } from '../../memory/index.ts';

/** Limit of an item, in code points. */
const maxItem = 300;

/** The first `max` distinct items of a section (spec 40 §2.2). An item is one line. */
export function* toItems(lines: readonly string[], max: number): Steps<string[]> {
  const items = new Set<string>();
  for (const line of lines) {
    if (items.size >= max) break;
    const item = excerptOf(line, maxItem);
    // After the excerpt: a truncated text may look like a credential where the whole one does not.
    if (!hasCredential(item)) items.add(item);
    yield;
  }
  return [...items];
}
