import { truncateKey } from '../text/text.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Whether a JSON value is an object: no array, and not null. */
export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The decoded text of a JSON string, and any other canonical JSON unchanged. */
export function textOfJson(canonical: string): string {
  return canonical.startsWith('"') ? (JSON.parse(canonical) as string) : canonical;
}

/** Appends a key to a path: `content` + `entries` → `content.entries`, `entries` + 0 → `entries[0]`. Truncates a long key. */
export function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = String(truncateKey(key));
  return path === '' ? name : `${path}.${name}`;
}
