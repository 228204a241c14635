import { createHash } from 'node:crypto';
import { digestHex } from '@continuity/kernel/json';
import type { EntryRow } from './entry.ts';
import type { EntryContent } from './normalize.ts';

/** Whether two entries are equal: kind and text, byte for byte (spec 20 M13). */
export function isEqualContent(one: EntryContent, other: EntryContent): boolean {
  return one.kind === other.kind && one.text === other.text;
}

/** Key of kind and text for maps: the same for equal entries, and for no others. */
export function contentKey({ kind, text }: EntryContent): string {
  return JSON.stringify([kind, text]);
}

/**
 * Hash of kind and text for an index that finds equal entries: the first 52 bits of a SHA-256, exact in a JavaScript number.
 * Hashes can collide, so the caller must compare kind and text of a match.
 */
export function equalityHash(content: EntryContent): number {
  const hash = createHash('sha256').update(contentKey(content), 'utf8').digest('hex');
  return Number.parseInt(hash.slice(0, 13), 16);
}

/** The `entry_content_hash` of a version: SHA-256 over its canonical content, as 64 hex digits (spec 10 §6.2). */
export function entryContentHash({ kind, text, source_refs, artifact_refs }: EntryRow): string {
  return digestHex({ kind, text, source_refs: source_refs ?? [], artifact_refs: artifact_refs ?? [] });
}
