import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { PublicationRow } from './publication.ts';

/** Throws 409 unless the publication has the generation that its caller has read. Null: the caller has found no publication. */
export function requirePublicationGeneration(
  row: PublicationRow | undefined,
  expectedGeneration: number | null,
): void {
  const current = row?.generation ?? null;
  if (current === expectedGeneration) return;
  throw serviceError('remote_publication_conflict', {
    details: { expected_generation: expectedGeneration, current_generation: current },
  });
}

export function publicationNotFound(): ServiceError {
  return serviceError('remote_publication_not_found');
}

/** The 409 for a Receiver that names another generation or package. */
export function otherGeneration({ generation }: Pick<PublicationRow, 'generation'>): ServiceError {
  return serviceError('remote_publication_conflict', {
    message: 'This is not what is published to the target. Reconcile again.',
    details: { current_generation: generation },
  });
}
