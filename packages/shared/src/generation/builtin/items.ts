import { trimWhite } from '@continuity/contract/text';
import { looksLikeCredential } from '../../memory/index.ts';
import { firstCodePoints, toOneLine } from '../text.ts';

/** Limit of an item, in code points. */
const maxItem = 300;

/** The first `max` distinct items of a section (spec 40 §2.2). An item is one line. */
export function toItems(lines: readonly string[], max: number): string[] {
  const items = lines.map(toItem).filter((item) => !looksLikeCredential(item));
  return [...new Set(items)].slice(0, max);
}

function toItem(line: string): string {
  const item = trimWhite(toOneLine(line));
  // A cut text may look like a credential where the whole one does not.
  return firstCodePoints(item, maxItem) === item ? item : `${firstCodePoints(item, maxItem - 1)}…`;
}
