import type { JsonObject } from '@continuity/kernel/json';
import type { PresentedContent, StoredRevision } from '../family.ts';

/** Returns the content of a Family that stores content and digest with each revision. */
export function readStoredContent<Content extends JsonObject>({
  content,
  contentDigest,
}: StoredRevision): PresentedContent & { content: Content } {
  if (content === null || contentDigest === null)
    throw new Error('A revision is stored without its content.');
  return { content: JSON.parse(content) as Content, contentDigest };
}
