import type { ArtifactKey } from '@continuity/kernel/database';

/** The key of an entry inside its tenant. */
export interface EntryKey {
  artifact_key: ArtifactKey;
  entry_id: string;
}

/** Scores of one channel. The key is the `keyOf` of the entry. */
export type ScoresByEntry = ReadonlyMap<string, number>;

/** The key as a string, for maps. */
export function keyOf({ artifact_key, entry_id }: EntryKey): string {
  return `${artifact_key} ${entry_id}`;
}
