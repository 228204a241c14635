import type { ArtifactRef, MemoryCitation, SourceRef } from '@continuity/contract';
import type { ChangeOp, MemoryEntry } from '@continuity/contract/memory';
import { optimizationFence, pick, type RowOf, tables } from '@continuity/kernel/database';
import { plainTerms } from '../search/index.ts';
import { presentValidity } from './validity.ts';

/** Fixed id of the Scope Memory, the first Memory Artifact of a Scope (spec 00 §4). */
export const scopeMemoryId = 'memory';

/** SQL of the columns of an entry, from `memory_states s` and `memory_versions v`. */
export const entryColumns =
  's.entry_id, s.version, s.active, v.entry_version_id, v.kind, v.text, v.source_refs, v.artifact_refs, ' +
  'v.holds_from, v.holds_until, v.superseded_by';

/** The row of `entryColumns`. */
export const entryRow = {
  ...pick(tables.memory_states, 'entry_id', 'version', 'active'),
  ...pick(tables.memory_versions, 'entry_version_id', 'kind', 'text'),
  source_refs: tables.memory_versions.source_refs.as<SourceRef[]>(),
  artifact_refs: tables.memory_versions.artifact_refs.as<ArtifactRef[]>(),
  ...pick(tables.memory_versions, 'holds_from', 'holds_until', 'superseded_by'),
};

/** One entry at one revision. */
export type EntryRow = RowOf<typeof entryRow>;

/** SQL for whether the statement of `memory_versions v` has ended by now. */
export const hasEnded = '(v.holds_until IS NOT NULL AND v.holds_until <= statement_timestamp())';

/** SQL of the columns of an entry at the head, with what the index has of it. */
export const currentColumns = `${entryColumns}, ${plainTerms('s')} AS terms, s.length, s.ended`;

/** The row of `currentColumns`. */
export const currentRow = {
  ...entryRow,
  terms: tables.memory_states.terms.orNull(),
  ...pick(tables.memory_states, 'length', 'ended'),
};

/**
 * Looks up the version of each state by its whole key. LATERAL with OFFSET 0 forces the look-up: without statistics the planner
 * assumes one row per Memory and would read all versions.
 */
export const joinVersion = `
  CROSS JOIN LATERAL (
    SELECT * FROM memory_versions v
    WHERE v.tenant_id = s.tenant_id AND v.artifact_key = s.artifact_key AND v.entry_id = s.entry_id
      AND v.version = s.version
    ${optimizationFence}
  ) AS v`;

/** SQL of the columns of a change, from `memory_changes ch` and `joinChangedVersions`. */
export const changeColumns =
  'ch.op, ch.entry_id, f.entry_version_id AS from_entry_version_id, t.entry_version_id AS to_entry_version_id, ch.reason';

/** The row of `changeColumns`. */
export const changeRow = {
  op: tables.memory_changes.op.as<ChangeOp>(),
  entry_id: tables.memory_changes.entry_id,
  from_entry_version_id: tables.memory_versions.entry_version_id.orNull(),
  to_entry_version_id: tables.memory_versions.entry_version_id.orNull(),
  reason: tables.memory_changes.reason,
};

/** One change of a revision. */
export type ChangeRow = RowOf<typeof changeRow>;

const versionIdOf = (version: string): string => `
  SELECT v.entry_version_id FROM memory_versions v
  WHERE v.tenant_id = ch.tenant_id AND v.artifact_key = ch.artifact_key AND v.entry_id = ch.entry_id
    AND v.version = ${version}
  ${optimizationFence}`;

/** Looks up the versions before and after a change. Both are optional: an add has none before. */
export const joinChangedVersions = `
  LEFT JOIN LATERAL (${versionIdOf('ch.from_version')}) AS f ON true
  LEFT JOIN LATERAL (${versionIdOf('ch.to_version')}) AS t ON true`;

/** The reference of a revision of a Memory Artifact. */
export function memoryRef(artifactId: string, revision: number): ArtifactRef {
  return { family: 'memory', artifact_id: artifactId, revision };
}

/** The citation of a version of an entry, as it is in the revision `ref`. */
export function citationOf(
  ref: ArtifactRef,
  row: Pick<EntryRow, 'entry_id' | 'entry_version_id'>,
): MemoryCitation {
  return { memory_ref: ref, entry_id: row.entry_id, entry_version_id: row.entry_version_id };
}

/** The wire form of an entry in one revision. */
export function presentEntry(ref: ArtifactRef, row: EntryRow): MemoryEntry {
  return {
    citation: citationOf(ref, row),
    version: row.version,
    kind: row.kind,
    text: row.text,
    state: row.active ? 'active' : 'inactive',
    source_refs: row.source_refs ?? [],
    artifact_refs: row.artifact_refs ?? [],
    ...presentValidity(row),
    ...(row.superseded_by && { superseded_by: row.superseded_by }),
  };
}
