import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json.ts';

/** SHA-256 of the canonical JSON of a value, as 64 hex digits. */
export function digestHex(value: JsonValue): string {
  return hashHex(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export function hashHex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** 64 hex digits in the form that the contract gives a `digest`. */
export function asDigest(hex: string): string {
  return `sha256:${hex}`;
}
