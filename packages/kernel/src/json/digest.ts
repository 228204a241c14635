import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json.ts';

/** SHA-256 of the canonical JSON of a value, as 64 hex digits. */
export function digestHex(value: JsonValue): string {
  return hashHex(canonicalJson(value));
}

/** SHA-256 of the canonical JSON of a value, as 32 bytes. */
export function digestBytes(value: JsonValue): Buffer<ArrayBuffer> {
  return hashBytes(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export function hashHex(text: string): string {
  return hashBytes(text).toString('hex');
}

/** SHA-256 of a text in UTF-8, as 32 bytes. */
export function hashBytes(text: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** 64 hex digits in the form that the contract gives a `digest`. */
export function asDigest(hex: string): string {
  return `sha256:${hex}`;
}

/** 32 bytes in the form that the contract gives a `digest`. */
export function digestFromBytes(bytes: Buffer): string {
  return asDigest(bytes.toString('hex'));
}

/** The 32 bytes of a digest in the contract's form. */
export function bytesOfDigest(digest: string): Buffer<ArrayBuffer> {
  return Buffer.from(digest.slice('sha256:'.length), 'hex');
}
