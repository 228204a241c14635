import { createHash } from 'node:crypto';
import { digestHex } from '@continuity/kernel/json';
import type { EntryRow } from './entry.ts';
import type { EntryContent } from './normalize.ts';
import { hasValidity, isSameValidity, presentValidity, type Validity } from './validity.ts';

/** Whether kind and text are equal, byte for byte. */
export function isEqualContent(one: EntryContent, other: EntryContent): boolean {
  return one.kind === other.kind && one.text === other.text;
}

/** A statement, and when it holds. */
export type Statement = EntryContent & Validity;

/**
 * Whether an entry is equal to a new statement (spec 26 M13): to one without validity if it has not ended, whatever its validity; to
 * one with validity if it has the same.
 */
export function isEqualEntry(entry: Statement & { has_ended: boolean }, statement: Statement): boolean {
  if (!isEqualContent(entry, statement)) return false;
  return hasValidity(statement) ? isSameValidity(entry, statement) : !entry.has_ended;
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

/**
 * The `entry_content_hash` of a version: SHA-256 over its canonical content, as 64 hex digits (spec 10 §6.2). Validity counts where
 * it has a value, so that other hashes are those of earlier releases.
 */
export function entryContentHash({ superseded_by, ...row }: EntryRow): string {
  const { kind, text, source_refs, artifact_refs } = row;
  return digestHex({
    ...{ kind, text, source_refs: source_refs ?? [], artifact_refs: artifact_refs ?? [] },
    ...(superseded_by && { superseded_by }),
    ...presentValidity(row),
  });
}
