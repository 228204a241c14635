import { utf8Length } from '@continuity/shared/kernel';
import { escapedBytes, utf8Bytes } from './escape.ts';

/** Most bytes of one item's text, before JSON escapes (spec 20 P6). */
const maxItemBytes = 2_000;

/** Fewest bytes of a text that was cut, before JSON escapes, its mark included; a shorter text is never cut (P7). */
const minCutBytes = 64;

/** Ends a text that was cut. Not escaped. */
const cutMark = '…';
const cutMarkBytes = utf8Length(cutMark);

export interface ItemText {
  content: string;
  truncated: boolean;
}

/** The text of an item where its size is no matter: whole, or cut to the most that an item holds. */
export function boundText(text: string): ItemText {
  if (utf8Length(text) <= maxItemBytes) return { content: text, truncated: false };
  return cut(text, { rawBytes: maxItemBytes, escapedBytes: Number.POSITIVE_INFINITY });
}

/**
 * The longest cut form of a text that takes at most `room` bytes as the inside of a JSON string, or undefined where that
 * leaves too little of it (spec 20 P7, P8).
 */
export function cutText(text: string, room: number): ItemText | undefined {
  if (utf8Length(text) < minCutBytes) return undefined;
  const form = cut(text, { rawBytes: maxItemBytes, escapedBytes: room });
  return utf8Length(form.content) < minCutBytes ? undefined : form;
}

/** The longest prefix of whole code points, less than all of them, that stays within both bounds with the mark. */
function cut(text: string, allowed: { rawBytes: number; escapedBytes: number }): ItemText {
  let raw = cutMarkBytes;
  let escaped = cutMarkBytes;
  let end = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    raw += utf8Bytes(codePoint);
    escaped += escapedBytes(codePoint);
    const next = end + character.length;
    if (raw > allowed.rawBytes || escaped > allowed.escapedBytes || next === text.length) break;
    end = next;
  }
  return { content: text.slice(0, end) + cutMark, truncated: true };
}
