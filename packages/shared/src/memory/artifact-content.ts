import type { EntryChange, ManifestEntry, MemoryContent } from '@continuity/contract/memory';
import { runInSlices } from '@continuity/kernel/fairness';
import { hashHex } from '@continuity/kernel/json';
import { jsonSteps } from '@continuity/shared/handlers';
import type { ChangeRow } from './entry.ts';
import { entryContentHash } from './equality.ts';
import type { EntryWrite } from './revision-rows.ts';

/** Computes the content of the next revision from the current manifest and the writes. */
export function contentAfter(manifest: ManifestEntry[], writes: EntryWrite[]): MemoryContent {
  const written = new Map(writes.map((write) => [write.after.entry_id, write]));
  const existing = manifest.map((entry) => {
    const write = written.get(entry.entry_id);
    return write === undefined ? entry : toManifestEntry(write);
  });
  const added = writes.filter(({ before }) => before === null).map(toManifestEntry);
  // Ids are time-ordered apart from clock skew between hosts, so the list is nearly sorted.
  return contentOf([...existing, ...added].sort(byEntryId), writes.map(toChange).sort(byEntryId));
}

/**
 * SHA-256 over the canonical JSON, as 64 hex digits. This file creates every object with its keys in canonical order, so that its
 * JSON is canonical. Runs in slices, because a manifest can have megabytes.
 */
export async function contentDigest(content: MemoryContent): Promise<string> {
  return hashHex(await runInSlices(jsonSteps(content)));
}

/** Assembles the content (spec 20 M8) from entries and changes that are ascending by `entry_id`. */
export function contentOf(entries: ManifestEntry[], changes: EntryChange[]): MemoryContent {
  return { changes, manifest: { entries, format: 'flat-v1' }, schema: 'service.memory.v1' };
}

/** One entry of a manifest. */
export function manifestEntry(
  { entry_content_hash, entry_id, entry_version_id }: Omit<ManifestEntry, 'state'>,
  active: boolean,
): ManifestEntry {
  return { entry_content_hash, entry_id, entry_version_id, state: active ? 'active' : 'inactive' };
}

function toManifestEntry({ after }: EntryWrite): ManifestEntry {
  return manifestEntry({ ...after, entry_content_hash: entryContentHash(after) }, after.active);
}

/** The wire form of a change of a revision, written or read. */
export function toChange(change: EntryWrite | ChangeRow): EntryChange {
  const { op, reason, entry_id, from_entry_version_id, to_entry_version_id } =
    'after' in change ? changeOf(change) : change;
  return { entry_id, from_entry_version_id, op, reason, to_entry_version_id };
}

function changeOf({ op, before, after, reason }: EntryWrite): ChangeRow {
  return {
    op,
    entry_id: after.entry_id,
    from_entry_version_id: op === 'revise' || op === 'deactivate' ? (before?.entry_version_id ?? null) : null,
    to_entry_version_id: op === 'deactivate' ? null : after.entry_version_id,
    reason,
  };
}

function byEntryId(left: { entry_id: string }, right: { entry_id: string }): number {
  return left.entry_id < right.entry_id ? -1 : 1;
}
