import type { ArtifactRef } from '@continuity/contract';
import { serviceError } from '@continuity/kernel/errors';

/** Throws 409 `artifact_conflict` if a target is not the head of its Artifact. */
export function requireHead(target: ArtifactRef, headRevision: number): void {
  if (target.revision === headRevision) return;
  throw serviceError('artifact_conflict', {
    details: { target, current: { ...target, revision: headRevision } },
  });
}
