import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonValue } from './json.ts';

/** RFC 8785 (JCS) text of a JSON value. */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('A value without JSON form has no canonical JSON.');
  return text;
}

/** SHA-256 over the canonical JSON, as 64 hex digits. */
export function digestHex(value: JsonValue): string {
  return hashHex(canonicalJson(value));
}

/** SHA-256 over UTF-8 text, as 64 hex digits. */
export function hashHex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The contract's `digest` form of 64 hex digits. */
export function asDigest(hex: string): string {
  return `sha256:${hex}`;
}
