import { utf8Length } from '@continuity/kernel/text';
import type { ContextHit } from './context-hit.ts';
import type { Layout } from './layout.ts';
import { limitText, truncateText } from './truncate-text.ts';

const commaBytes = 1;

/** A prepared context with at least one item. */
export interface FittedContext {
  content: string;
  contentBytes: number;
  /** The hits in the content, in its order. */
  items: ContextHit[];
}

/** How a context is written, and how much it may hold. */
export interface ContextSize {
  layout: Layout;
  maxBytes: number;
  maxItems: number;
}

/** What became of a hit. */
export interface Trial {
  hit: ContextHit;
  outcome: 'included' | 'truncated' | 'no_room' | 'enough_items';
  /** Bytes of the item; null for one that is left out. */
  itemBytes: number | null;
  /** What was left of `maxBytes` when it was tried; null for one that was not. */
  roomBytes: number | null;
}

/**
 * Renders the hits that fit into `maxBytes`, in order, until there are `maxItems`; skips those that do not fit (spec 20 P5, P7).
 * Undefined if none fits. Renders each hit at most three times.
 *
 * @param trials receives what became of each hit
 */
export function fitHits(
  hits: readonly ContextHit[],
  { layout, maxBytes, maxItems }: ContextSize,
  trials: Trial[] = [],
): FittedContext | undefined {
  const items: ContextHit[] = [];
  const rendered: string[] = [];
  let bytes = layout.frameBytes;
  for (const hit of hits) {
    if (items.length === maxItems) {
      trials.push({ hit, outcome: 'enough_items', itemBytes: null, roomBytes: null });
      continue;
    }
    const separator = items.length === 0 ? 0 : commaBytes;
    const roomBytes = Math.max(0, maxBytes - bytes - separator);
    const item = fitItem(layout, hit, roomBytes);
    if (item === undefined) {
      trials.push({ hit, outcome: 'no_room', itemBytes: null, roomBytes });
      continue;
    }
    const itemBytes = utf8Length(item.json);
    trials.push({ hit, outcome: item.truncated ? 'truncated' : 'included', itemBytes, roomBytes });
    items.push(hit);
    rendered.push(item.json);
    bytes += separator + itemBytes;
  }
  if (items.length === 0) return undefined;
  return { content: layout.renderContent(rendered), contentBytes: bytes, items };
}

/** An item in at most `maxBytes`: with its whole text, else with the longest truncated text that fits, else undefined. */
function fitItem(
  { renderItem }: Layout,
  hit: ContextHit,
  maxBytes: number,
): { json: string; truncated: boolean } | undefined {
  const limited = limitText(hit.text);
  const whole = renderItem(hit, limited);
  if (utf8Length(whole) <= maxBytes) return { json: whole, truncated: limited.truncated };
  const bytesWithoutText = utf8Length(renderItem(hit, { content: '', truncated: true }));
  const form = truncateText(hit.text, maxBytes - bytesWithoutText);
  return form && { json: renderItem(hit, form), truncated: true };
}
