import type { Issue } from '@continuity/contract';
import { canonicalJson } from './canonical-json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { utf8Length } from './text.ts';

/** The canonical JSON of a value that has at most `maxBytes` of it, else undefined. What is far larger is not written first. */
export function canonicalJsonWithin(value: JsonValue, maxBytes: number): string | undefined {
  if (leastBytes(value, maxBytes) > maxBytes) return undefined;
  const text = canonicalJson(value);
  return utf8Length(text) <= maxBytes ? text : undefined;
}

/** What is said of a value that has more. */
export function tooManyBytes(path: string, maxBytes: number): Issue {
  return { path, message: `must be at most ${maxBytes} bytes of canonical JSON` };
}

/** A number of bytes that the canonical JSON of a value has at least. Looks no further when that is over `enough`. */
function leastBytes(value: JsonValue, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Array.isArray(value) ? leastOfItems(value, enough) : leastOfFields(value, enough);
}

function leastOfItems(items: JsonValue[], enough: number): number {
  // A comma or bracket before each, and the last bracket.
  let bytes = items.length + 1;
  for (const item of items) {
    if (bytes > enough) break;
    bytes += leastBytes(item, enough - bytes);
  }
  return bytes;
}

function leastOfFields(fields: JsonObject, enough: number): number {
  let bytes = 0;
  for (const key of Object.keys(fields)) {
    if (bytes > enough) break;
    const value = fields[key];
    // Quotes, a colon, and a comma or brace.
    if (value !== undefined) bytes += key.length + 4 + leastBytes(value, enough - bytes);
  }
  return bytes;
}
