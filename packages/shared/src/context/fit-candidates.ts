import { utf8Length } from '@continuity/kernel/text';
import type { Candidate } from './candidate.ts';
import type { Layout } from './layout.ts';
import { limitText, truncateText } from './truncate-text.ts';

const commaBytes = 1;

/** A prepared context with at least one item. */
export interface FittedContext {
  content: string;
  contentBytes: number;
  /** The candidates in the content, in its order. */
  items: Candidate[];
}

/** How a context is written, and how much it may hold. */
export interface ContextSize {
  layout: Layout;
  maxBytes: number;
  maxItems: number;
}

/**
 * Renders the candidates that fit into `maxBytes`, in order, until there are `maxItems`; skips those that do not fit (spec 20 P5, P7).
 * Undefined if none fits. Renders each candidate at most three times.
 */
export function fitCandidates(
  candidates: readonly Candidate[],
  { layout, maxBytes, maxItems }: ContextSize,
): FittedContext | undefined {
  const items: Candidate[] = [];
  const rendered: string[] = [];
  let bytes = layout.frameBytes;
  for (const candidate of candidates) {
    const separator = items.length === 0 ? 0 : commaBytes;
    const item = fitItem(layout, candidate, maxBytes - bytes - separator);
    if (item === undefined) continue;
    items.push(candidate);
    rendered.push(item);
    bytes += separator + utf8Length(item);
    if (items.length === maxItems) break;
  }
  if (items.length === 0) return undefined;
  return { content: layout.renderContent(rendered), contentBytes: bytes, items };
}

/** An item in at most `maxBytes`: with its whole text, else with the longest truncated text that fits, else undefined. */
function fitItem({ renderItem }: Layout, candidate: Candidate, maxBytes: number): string | undefined {
  const whole = renderItem(candidate, limitText(candidate.text));
  if (utf8Length(whole) <= maxBytes) return whole;
  const bytesWithoutText = utf8Length(renderItem(candidate, { content: '', truncated: true }));
  const form = truncateText(candidate.text, maxBytes - bytesWithoutText);
  return form && renderItem(candidate, form);
}
