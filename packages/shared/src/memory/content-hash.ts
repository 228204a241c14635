import { digestHex } from '@continuity/kernel/json';
import type { EntryRow } from './entry.ts';

/** The `entry_content_hash` of a version: SHA-256 over its canonical content, as 64 hex digits (spec 10 §6.2). */
export function entryContentHash({ kind, text, source_refs, artifact_refs }: EntryRow): string {
  return digestHex({ kind, text, source_refs: source_refs ?? [], artifact_refs: artifact_refs ?? [] });
}
