import { createHash } from 'node:crypto';
import { asDigest, canonicalJson, digestHex, type JsonValue } from '@continuity/kernel/json';
import { toNfc } from '@continuity/kernel/text';
import type { ActivityIdentity } from './activities.ts';
import type { ReportFrame } from './frame.ts';

/** The fields that a selection digest covers (spec 30 §4.5). */
export type ReportSelection = Pick<
  ReportFrame,
  | 'selection'
  | 'scope_ids'
  | 'project_revision'
  | 'normalized_filters'
  | 'normalized_period'
  | 'selection_consistency'
  | 'activity_cursor'
  | 'baseline_selection'
  | 'end_selection'
> & { project_id: string | null; activity_selection: readonly ActivityIdentity[] };

/** The value that a selection digest hashes, before its strings are normalized. */
export function canonicalSelection(selected: ReportSelection): JsonValue {
  const activity_selection = selected.activity_selection.map(
    ({ event_id, source, source_event_id, occurred_at, observed_at, time_basis }) => ({
      event_id,
      source,
      source_event_id,
      occurred_at,
      observed_at,
      time_basis,
    }),
  );
  return { schema: 'service.handoff-report-selection.v2', ...selected, activity_selection };
}

/** The `selection_digest`: equal for equal selections in every form, locale and build. */
export function selectionDigest(selected: ReportSelection): string {
  return asDigest(digestHex(normalizeStrings(canonicalSelection(selected))));
}

/** The digest of a selection without NFC. Scope ids that only NFC makes equal are different Scopes, with one `selection_digest`. */
export function exactSelectionDigest(selected: ReportSelection): string {
  return asDigest(digestHex(canonicalSelection(selected)));
}

/** Canonical JSON of a frame without entries, at the place of its entries. */
const entriesMark = '"scopes":[]';

/**
 * The `report_digest`: over the canonical JSON of the report without its `report_digest`. `entries` are the canonical JSON of
 * the entries, with their strings in NFC, as UTF-8.
 */
export function reportDigest(frame: Omit<ReportFrame, 'report_digest'>, entries: readonly Buffer[]): string {
  const [before, after] = splitAtEntries(canonicalJson(normalizeStrings({ ...frame, scopes: [] })));
  const hash = createHash('sha256').update(before);
  entries.forEach((entry, index) => {
    if (index > 0) hash.update(',');
    hash.update(entry);
  });
  return asDigest(hash.update(after).digest('hex'));
}

/**
 * Splits the canonical JSON of a frame where its entries belong. Stored text cannot contain the mark, because JSON escapes its
 * quotes.
 */
export function splitAtEntries(canonical: string): [string, string] {
  const at = canonical.lastIndexOf(entriesMark) + entriesMark.length - 1;
  return [canonical.slice(0, at), canonical.slice(at)];
}

/** Copies a value with its strings in NFC, in linear time. Leaves keys as they are, because those of a report are ASCII. */
export function normalizeStrings(value: unknown): JsonValue {
  if (typeof value === 'string') return toNfc(value);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (Array.isArray(value)) return value.map(normalizeStrings);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, normalizeStrings(one)]));
}
