import type { SourceRef } from '@continuity/contract';
import { newId } from '@continuity/kernel/text';
import type { EntryRow } from './entry.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';
import { isSameValidity, type Validity } from './validity.ts';

/** A new entry, version 1. `sourceRefs` is its evidence. Without validity, it holds ever since. */
export function addEntry(
  { kind, text, holds_from = null, holds_until = null }: EntryContent & Partial<Validity>,
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
    holds_from,
    holds_until,
    superseded_by: null,
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

/**
 * Replaces content and validity of an active entry in a new version; null for no change. Another end says nothing of a successor, so
 * it clears `superseded_by` (spec 26 R9).
 */
export function reviseEntryTo(
  entry: CurrentEntry,
  { holds_from, holds_until, ...content }: Pick<EntryRow, 'kind' | 'text' | 'source_refs'> & Validity,
  reason: string | null,
): EntryWrite | null {
  const validity = { holds_from, holds_until };
  const isSame =
    entry.kind === content.kind &&
    entry.text === content.text &&
    entry.source_refs === content.source_refs &&
    isSameValidity(entry, validity);
  if (isSame) return null;
  const hasSameEnd = entry.holds_until?.getTime() === holds_until?.getTime();
  const superseded_by = hasSameEnd ? entry.superseded_by : null;
  return reviseFields(entry, { ...content, ...validity, superseded_by }, reason);
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
