import { utf8Length } from '@continuity/kernel/text';
import type { Candidate } from './candidate.ts';
import { frameBytes, renderContent, renderItem } from './render-content.ts';
import { limitText, truncateText } from './truncate-text.ts';

/** Most items of a prepared context (spec 20 P5). */
const maxItems = 8;

const commaBytes = 1;

/** A prepared context with at least one item. */
export interface FittedContext {
  content: string;
  contentBytes: number;
  /** The candidates in the content, in its order. */
  items: Candidate[];
}

/**
 * Renders the candidates that fit into `maxBytes`, in order, until there are 8; skips those that do not fit (spec 20 P5, P7).
 * Undefined if none fits. Renders each candidate at most three times.
 */
export function fitCandidates(candidates: readonly Candidate[], maxBytes: number): FittedContext | undefined {
  const items: Candidate[] = [];
  const rendered: string[] = [];
  let bytes = frameBytes;
  for (const candidate of candidates) {
    const separator = items.length === 0 ? 0 : commaBytes;
    const item = fitItem(candidate, maxBytes - bytes - separator);
    if (item === undefined) continue;
    items.push(candidate);
    rendered.push(item);
    bytes += separator + utf8Length(item);
    if (items.length === maxItems) break;
  }
  if (items.length === 0) return undefined;
  return { content: renderContent(rendered), contentBytes: bytes, items };
}

/** An item in at most `maxBytes`: with its whole text, else with the longest truncated text that fits, else undefined. */
function fitItem(candidate: Candidate, maxBytes: number): string | undefined {
  const whole = renderItem(candidate, limitText(candidate.text));
  if (utf8Length(whole) <= maxBytes) return whole;
  const bytesWithoutText = utf8Length(renderItem(candidate, { content: '', truncated: true }));
  const form = truncateText(candidate.text, maxBytes - bytesWithoutText);
  return form && renderItem(candidate, form);
}
