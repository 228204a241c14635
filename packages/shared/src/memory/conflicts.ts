import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';

/** 404 for a missing Memory, revision or entry. Does not reveal whether it exists in another tenant. */
export function memoryNotFound(): ServiceError {
  return serviceError('memory_not_found');
}

/** 409 with the expected and the current revision (spec 20 M18). */
export function revisionConflict(
  expected: number,
  current: ArtifactRef,
  currentCitation?: MemoryCitation | null,
): ServiceError {
  return serviceError('revision_conflict', {
    message: `Revision ${expected} was expected, but ${current.revision} is current. Read what changed and decide again.`,
    details: {
      expected_revision: expected,
      current_revision: current.revision,
      current,
      ...(currentCitation !== undefined && { current_citation: currentCitation }),
    },
  });
}

/** 409 for a revise of an inactive entry. */
export function entryInactive(entryId: string, current: ArtifactRef): ServiceError {
  return serviceError('memory_entry_inactive', { details: { entry_id: entryId, current } });
}
