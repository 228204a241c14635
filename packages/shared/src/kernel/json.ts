import { truncateKey } from './truncate.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Appends a key to a path: `content` + `entries` → `content.entries`, `entries` + 0 → `entries[0]`. Truncates a long key. */
export function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = String(truncateKey(key));
  return path === '' ? name : `${path}.${name}`;
}
