import type { ExperienceContent } from '@continuity/contract/experience';
import { searchedText } from '../../experience/index.ts';
import type { ArtifactFamily } from '../family.ts';
import { createDocument, type Document, replaceDocument, toDocument } from './document.ts';
import { readStoredContent } from './stored-content.ts';

/** Experiences in the Artifact operations. Their content is stored as sent. */
export const experienceFamily: ArtifactFamily<ExperienceContent, ExperienceContent> = {
  // The shape expresses all rules.
  check: () => {},

  complete: (content) => content,

  create: (transaction, artifact, content) =>
    createDocument(transaction, artifact, experienceDocument(content)),

  replace: async (_queries, head, content) => {
    const document = experienceDocument(content);
    return { write: (transaction, source) => replaceDocument(transaction, head, source, document) };
  },

  publish: (transaction, artifact, published) =>
    createDocument(
      transaction,
      artifact,
      experienceDocument(readStoredContent<ExperienceContent>(published).content),
    ),

  present: async (_queries, stored) => readStoredContent<ExperienceContent>(stored),
};

/** Prepares an Experience for its rows. */
export function experienceDocument(content: ExperienceContent): Document {
  return toDocument('experience', content, searchedText(content));
}
