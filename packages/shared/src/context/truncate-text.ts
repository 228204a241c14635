import { utf8Length } from '@continuity/kernel/text';
import { escapedBytes, utf8Bytes } from './json-length.ts';

/** Most bytes of the text of an item, before JSON escapes (spec 20 P6). */
const maxItemBytes = 2_000;

/** Fewest bytes of a truncated text, its ellipsis included and before JSON escapes. A shorter text is never truncated (spec 20 P7). */
const minTruncatedBytes = 64;

const ellipsis = '…';
const ellipsisBytes = utf8Length(ellipsis);

export interface ItemText {
  content: string;
  truncated: boolean;
}

/** The text of an item with no limit but that of every item: whole, or truncated to 2000 bytes. */
export function limitText(text: string): ItemText {
  if (utf8Length(text) <= maxItemBytes) return { content: text, truncated: false };
  return truncate(text, { rawBytes: maxItemBytes, escapedBytes: Number.POSITIVE_INFINITY });
}

/** The longest truncated form that takes at most `maxEscapedBytes` in a JSON string; undefined below 64 bytes (spec 20 P7, P8). */
export function truncateText(text: string, maxEscapedBytes: number): ItemText | undefined {
  if (utf8Length(text) < minTruncatedBytes) return undefined;
  const form = truncate(text, { rawBytes: maxItemBytes, escapedBytes: maxEscapedBytes });
  return utf8Length(form.content) < minTruncatedBytes ? undefined : form;
}

/** The longest proper prefix of whole code points that stays within both limits together with the ellipsis. */
function truncate(text: string, max: { rawBytes: number; escapedBytes: number }): ItemText {
  let raw = ellipsisBytes;
  let escaped = ellipsisBytes;
  let end = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    raw += utf8Bytes(codePoint);
    escaped += escapedBytes(codePoint);
    const next = end + character.length;
    if (raw > max.rawBytes || escaped > max.escapedBytes || next === text.length) break;
    end = next;
  }
  return { content: text.slice(0, end) + ellipsis, truncated: true };
}
