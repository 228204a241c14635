import { utf8Length } from '@continuity/shared/kernel';
import type { Candidate } from './candidate.ts';
import { boundText, cutText } from './cut-text.ts';
import { frameBytes, renderContent, renderItem } from './layout.ts';

/** Most items of a prepared context (spec 20 P5). */
const maxItems = 8;

const commaBytes = 1;

/** A prepared context with at least one item. */
export interface Fitted {
  content: string;
  contentBytes: number;
  /** What is in it, in its order. */
  items: Candidate[];
}

/**
 * Tries candidates in order until 8 are in; one that does not fit into what is left of `maxBytes` is passed over (spec 20
 * P5, P7). Undefined where none fits. Bytes are added up as items come in: each candidate is rendered twice at most.
 */
export function fitCandidates(candidates: readonly Candidate[], maxBytes: number): Fitted | undefined {
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

/** An item in at most `free` bytes: with all of its text, else with as much as fits, else undefined. */
function fitItem(candidate: Candidate, free: number): string | undefined {
  const whole = renderItem(candidate, boundText(candidate.text));
  if (utf8Length(whole) <= free) return whole;
  const withoutText = utf8Length(renderItem(candidate, { content: '', truncated: true }));
  const form = cutText(candidate.text, free - withoutText);
  return form && renderItem(candidate, form);
}
