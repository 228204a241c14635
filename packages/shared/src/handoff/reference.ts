import type { ArtifactRef } from '@continuity/shared/kernel';
import { handoffId } from './shapes.ts';

/** The reference of one revision of a Scope's Handoff. */
export function handoffRef(revision: number): ArtifactRef {
  return { family: 'handoff', artifact_id: handoffId, revision };
}

/** Of the revision, or null for none. */
export function handoffRefOrNull(revision: number | undefined): ArtifactRef | null {
  return revision === undefined ? null : handoffRef(revision);
}
