import type { SourceRef } from '@continuity/contract';
import { newId } from '@continuity/kernel/text';
import type { EntryRow } from './entry.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';

/** A new entry, version 1. `sourceRefs` is its evidence. */
export function addEntry(
  { kind, text }: EntryContent,
  reason: string | null,
  sourceRefs: SourceRef[] | null = null,
): EntryWrite {
  const after: EntryRow = {
    entry_id: newId(),
    entry_version_id: newId(),
    version: 1,
    active: true,
    kind,
    text,
    source_refs: sourceRefs,
    artifact_refs: null,
  };
  return { op: 'add', before: null, after, reason };
}

/** Changes fields of an active entry in a new version, and keeps the others. */
export function reviseFields(
  entry: CurrentEntry,
  change: Partial<EntryRow>,
  reason: string | null,
): EntryWrite {
  return { op: 'revise', before: entry, after: nextVersion(entry, change), reason };
}

/** Reactivates a retired entry with the same version. */
export function reactivateVersion(entry: CurrentEntry, reason: string | null): EntryWrite {
  return { op: 'reactivate', before: entry, after: { ...entry, active: true }, reason };
}

/** Reactivates a retired entry with a new version that has this evidence. */
export function reactivateWithEvidence(
  entry: CurrentEntry,
  sourceRefs: SourceRef[] | null,
  reason: string | null = null,
): EntryWrite {
  const after = nextVersion(entry, { source_refs: sourceRefs, active: true });
  return { op: 'reactivate', before: entry, after, reason };
}

/** Deactivates an entry with the same version. */
export function deactivate(entry: CurrentEntry, reason: string | null): EntryWrite {
  return { op: 'deactivate', before: entry, after: { ...entry, active: false }, reason };
}

function nextVersion(entry: CurrentEntry, change: Partial<EntryRow>): EntryRow {
  return { ...entry, ...change, version: entry.version + 1, entry_version_id: newId() };
}
