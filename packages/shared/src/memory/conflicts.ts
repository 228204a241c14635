import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import { ServiceError } from '@continuity/shared/kernel';

/** 404 for a Memory, revision or entry that is not there, or not for this tenant: the answer does not say which. */
export function memoryNotFound(): ServiceError {
  return new ServiceError('memory_not_found', 'This Scope has no such Memory, revision or entry.');
}

/** 409 with what was expected and what is current (spec 20 M18). */
export function revisionConflict(
  expected: number,
  current: ArtifactRef,
  currentCitation?: MemoryCitation | null,
): ServiceError {
  return new ServiceError(
    'revision_conflict',
    `Revision ${expected} was expected, but ${current.revision} is current. Read what changed and decide again.`,
    {
      expected_revision: expected,
      current_revision: current.revision,
      current,
      ...(currentCitation !== undefined && { current_citation: currentCitation }),
    },
  );
}

/** 409: an inactive entry is not revised; remember its content again to make it active. */
export function entryInactive(entryId: string, current: ArtifactRef): ServiceError {
  return new ServiceError(
    'memory_entry_inactive',
    'The entry is retired. Remember its content to bring it back.',
    {
      entry_id: entryId,
      current,
    },
  );
}
