import { ServiceError } from '@continuity/client';
import type { MemoryCitation } from './types.ts';

const maxAttempts = 4;

/**
 * Sends a write with the citation on screen. Where other entries moved the head but this entry has still the version on screen, it sends
 * the write again with the current citation. Throws the conflict where the entry itself changed.
 */
export async function sendCited<T>(
  citation: MemoryCitation,
  send: (citation: MemoryCitation) => Promise<T>,
): Promise<T> {
  let current = citation;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(current);
    } catch (error) {
      const moved = currentCitationOf(error);
      if (moved?.entry_version_id !== citation.entry_version_id || attempt === maxAttempts) throw error;
      current = moved;
    }
  }
}

function currentCitationOf(error: unknown): MemoryCitation | undefined {
  if (!(error instanceof ServiceError) || !error.is('revision_conflict')) return undefined;
  return 'current_citation' in error.details ? (error.details.current_citation ?? undefined) : undefined;
}
