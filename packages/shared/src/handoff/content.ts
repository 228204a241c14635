import type { HandoffContent, HandoffContentInput, HandoffDraft } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';

/** Adds the schema to a draft, which makes it content (spec 30 §3.5.1). */
export function contentOfDraft(draft: HandoffDraft): HandoffContent {
  return { schema: 'service.handoff.v1', ...draft };
}

/** Fills in the defaults of content (spec 30 §8.1). */
export function completeContent({
  next_action,
  omissions = [],
  ...rest
}: HandoffContentInput): HandoffContent {
  return {
    ...rest,
    next_action: next_action ?? null,
    omissions: omissions.map(({ text, citation }) => ({ text, citation: citation ?? null })),
  };
}

/** Canonical JSON of content, for storage, digest and comparison (spec 30 §3.2.5). */
export function canonicalContent(content: HandoffContent): string {
  return canonicalJson(content);
}

/** Size of content in UTF-8 bytes of canonical JSON, the unit of `max_bytes` (spec 30 §3.3.2). */
export function contentBytes(content: HandoffContent): number {
  return utf8Length(canonicalContent(content));
}
