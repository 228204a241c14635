import type { ArtifactRef } from '@continuity/contract';
import { handoffId } from '@continuity/contract/handoff';

/** The reference of one revision of a Scope's Handoff. */
export function handoffRef(revision: number): ArtifactRef {
  return { family: 'handoff', artifact_id: handoffId, revision };
}

/** Of the revision, or null for none. */
export function handoffRefOrNull(revision: number | undefined): ArtifactRef | null {
  return revision === undefined ? null : handoffRef(revision);
}
