import type { ExperienceContent } from '@continuity/contract/experience';
import { searchedText } from '../../experience/index.ts';
import type { ArtifactFamily, NewArtifact } from '../family.ts';
import { createDocument, type Document, replaceDocument, toDocument } from './document.ts';
import { readStoredContent } from './stored-content.ts';

/** Experiences in the Artifact operations. Their content is stored as sent. */
export const experienceFamily: ArtifactFamily<ExperienceContent, ExperienceContent> = {
  // The shape expresses all rules.
  check: () => {},

  complete: (content) => content,

  create: async (transaction, artifact, content) =>
    createDocument(transaction, artifact, await experienceDocument(artifact, content)),

  replace: async (_queries, head, content) => {
    const document = await experienceDocument(head, content);
    return { write: (transaction, source) => replaceDocument(transaction, head, source, document) };
  },

  publish: async (transaction, artifact, published) => {
    const { content } = readStoredContent<ExperienceContent>(published);
    return createDocument(transaction, artifact, await experienceDocument(artifact, content));
  },

  present: async (_queries, stored) => readStoredContent<ExperienceContent>(stored),
};

/** Prepares an Experience for its rows. */
export function experienceDocument(
  place: Pick<NewArtifact, 'tenantId' | 'scopeId'>,
  content: ExperienceContent,
): Promise<Document> {
  return toDocument(place, 'experience', content, searchedText(content));
}
