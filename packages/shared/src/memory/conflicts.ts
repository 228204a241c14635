import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import { type ServiceError, serviceError } from '@continuity/shared/kernel';

/** 404 for a Memory, revision or entry that is not there, or not for this tenant: the answer does not say which. */
export function memoryNotFound(): ServiceError {
  return serviceError('memory_not_found');
}

/** 409 with what was expected and what is current (spec 20 M18). */
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

/** 409: an inactive entry is not revised; remember its content again to make it active. */
export function entryInactive(entryId: string, current: ArtifactRef): ServiceError {
  return serviceError('memory_entry_inactive', { details: { entry_id: entryId, current } });
}
