import type { ContextFormat } from '@continuity/contract/context';
import { jsonLine, untrustedPreface } from '@continuity/contract/untrusted-text';
import { utcDate } from '@continuity/kernel/process';
import { utf8Length } from '@continuity/kernel/text';
import type { ContextHit } from './context-hit.ts';
import type { ItemText } from './truncate-text.ts';

/** How a prepared context is written: five lines, of which the fourth is the JSON. LF separates lines, none ends the last. */
export interface Layout {
  /** Bytes of a content without items. */
  frameBytes: number;
  /** The content of rendered items. */
  renderContent(items: readonly string[]): string;
  /** One item as JSON. */
  renderItem(hit: ContextHit, text: ItemText): string;
}

/** The layout of a format, for a context of `scopeId`. */
export function layoutOf(format: ContextFormat, scopeId: string): Layout {
  return format === 'v1' ? wholeCitations : shortIds(scopeId);
}

function frame(version: 'V1' | 'V2', fields: string): Omit<Layout, 'renderItem'> {
  const head = `${untrustedPreface}\n\nBEGIN_SERVICE_PREPARED_CONTEXT_${version}\n{${fields},"items":[`;
  const tail = `]}\nEND_SERVICE_PREPARED_CONTEXT_${version}`;
  return {
    frameBytes: utf8Length(head) + utf8Length(tail),
    renderContent: (items) => head + items.join(',') + tail,
  };
}

const trust = '"trust":"untrusted_history"';

/** Spec 20 P9. */
const wholeCitations: Layout = {
  ...frame('V1', trust),
  renderItem({ citation, kind, validity }, { content, truncated }) {
    const fields = [
      `"citation":${citation}`,
      `"content":${jsonLine(content)}`,
      `"truncated":${truncated}`,
      ...validityFields(validity),
    ];
    if (kind === 'experience') fields.push('"kind":"experience"');
    return `{${fields.join(',')}}`;
  },
};

/** Only the times that are set (spec 26 P9). */
function validityFields({ valid_from, valid_until }: ContextHit['validity'] = {}): string[] {
  const fields: string[] = [];
  if (valid_from !== undefined) fields.push(`"valid_from":"${valid_from}"`);
  if (valid_until !== undefined) fields.push(`"valid_until":"${valid_until}"`);
  return fields;
}

/** Spec 25 Q11. */
function shortIds(scopeId: string): Layout {
  return {
    ...frame('V2', `${trust},"scope":${jsonLine(scopeId)}`),
    renderItem({ shortId, writtenAt, saidAt, kind, origin, validity }, { content, truncated }) {
      const fields = [
        `"id":"${shortId}"`,
        `"on":"${utcDate(saidAt ?? writtenAt)}"`,
        `"text":${jsonLine(content)}`,
      ];
      if (origin.scopeId !== scopeId) fields.push(`"scope":${jsonLine(origin.scopeId)}`);
      if (truncated) fields.push('"truncated":true');
      fields.push(...validityFields(validity));
      if (kind === 'experience') fields.push('"kind":"experience"');
      return `{${fields.join(',')}}`;
    },
  };
}
