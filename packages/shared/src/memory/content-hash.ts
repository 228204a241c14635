import { digestHex } from '@continuity/shared/kernel';
import type { EntryRow } from './entry.ts';

/** `entry_content_hash` of a version: 64 hex digits over its canonical content (spec 10 §6.2). */
export function entryContentHash({ kind, text, source_refs, artifact_refs }: EntryRow): string {
  return digestHex({ kind, text, source_refs: source_refs ?? [], artifact_refs: artifact_refs ?? [] });
}
