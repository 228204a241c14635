import { ServiceError } from '@continuity/client';
import { call } from '../api/service.ts';
import { experienceText, type PastedItem } from './prepared-block.ts';

/** What became of a pasted item. */
export type Verdict = 'asStored' | 'revised' | 'retired' | 'altered' | 'notFound';

/** Reads the exact version that an item cites, and compares. Only citations leave the browser. */
export async function checkItem(scope: string, item: PastedItem): Promise<Verdict> {
  const scope_id = item.scope ?? scope;
  try {
    const { reference } = item;
    if (reference.kind === 'experience')
      return await checkExperience(scope_id, item, { artifact: reference.artifact });
    if (reference.kind === 'short' && reference.isExperience)
      return await checkExperience(scope_id, item, { short_id: reference.id });
    const cited = reference.kind === 'short' ? { short_id: reference.id } : { citation: reference.citation };
    const stored = await call('getMemoryEntry', { scope_id, ...cited });
    if (!isSame(item, stored.text)) return 'altered';
    const { memory_ref, entry_id, entry_version_id } = stored.citation;
    const { events } = await call('listMemoryEntryHistory', {
      scope_id,
      artifact_id: memory_ref.artifact_id,
      entry_id,
      limit: 1,
    });
    const now = events[0]?.entry;
    if (now?.state === 'inactive') return 'retired';
    return now?.citation.entry_version_id === entry_version_id ? 'asStored' : 'revised';
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 422)) return 'notFound';
    throw error;
  }
}

async function checkExperience(
  scope_id: string,
  item: PastedItem,
  cited: { artifact: { family: string; artifact_id: string; revision: number } } | { short_id: string },
): Promise<Verdict> {
  const { artifact, content } = await call('getExperience', { scope_id, ...cited });
  if (!isSame(item, experienceText(content))) return 'altered';
  const { items } = await call('listArtifactRevisions', {
    scope_id,
    family: 'experience',
    artifact_id: artifact.artifact_id,
    limit: '1',
  });
  return items[0]?.revision === artifact.revision ? 'asStored' : 'revised';
}

/** A truncated item has the beginning of the stored text. */
function isSame({ text, truncated }: PastedItem, stored: string): boolean {
  return text === stored || (truncated && stored.startsWith(text.replace(/…$/, '')));
}
