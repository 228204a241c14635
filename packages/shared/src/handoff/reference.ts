import type { ArtifactRef } from '@continuity/contract';
import { handoffId } from '@continuity/contract/handoff';

/** A reference to one revision of a Scope's Handoff. */
export function handoffRef(revision: number): ArtifactRef {
  return { family: 'handoff', artifact_id: handoffId, revision };
}

/** As `handoffRef`; null for no revision. */
export function handoffRefOrNull(revision: number | undefined): ArtifactRef | null {
  return revision === undefined ? null : handoffRef(revision);
}
