import type { JsonObject } from '@continuity/shared/kernel';
import type { PresentedContent, StoredRevision } from '../family.ts';

/** The content of a Family whose revisions are kept with content and digest. */
export function presentKept<Content extends JsonObject>({
  content,
  contentDigest,
}: StoredRevision): PresentedContent & { content: Content } {
  if (content === null || contentDigest === null) throw new Error('A revision is kept without its content.');
  return { content: JSON.parse(content) as Content, contentDigest };
}
