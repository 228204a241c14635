import type { KnownKind } from './kinds.ts';

/** A list item, the row of a table, or the lines of one paragraph. */
export interface Block {
  form: 'item' | 'row' | 'paragraph';
  lines: string[];
  speaker: string | null;
  /** True for an item with an unticked check box, which is open work. */
  open: boolean;
  /** Kind that the heading or the lead-in above an item names; null without one (spec 25 Q14). */
  kind: KnownKind | null;
  /** True where the kind is that of the first sentence only. */
  isKindOfFirst: boolean;
}
