import type { ExperienceContent } from '@continuity/contract/experience';
import { searchedText } from '../../experience/index.ts';
import type { ArtifactFamily, FirstRevision, ScopeAddress } from '../family.ts';
import { createDocument, type Document, replaceDocument, toDocument } from './document.ts';
import { readStoredContent } from './stored-content.ts';

/** Experiences in the Artifact operations. Their content is stored as sent. */
export const experienceFamily: ArtifactFamily<ExperienceContent, ExperienceContent> = {
  // The shape expresses all rules.
  check: () => {},

  complete: (content) => content,

  create: (_queries, scope, content) => decideFirst(scope, content),

  replace: async (_queries, head, content) => {
    const document = await experienceDocument(head, content);
    return { write: (transaction, source) => replaceDocument(transaction, head, source, document) };
  },

  publish: (_queries, scope, published) =>
    decideFirst(scope, readStoredContent<ExperienceContent>(published).content),

  present: async (_queries, stored) => readStoredContent<ExperienceContent>(stored),
};

async function decideFirst(scope: ScopeAddress, content: ExperienceContent): Promise<FirstRevision> {
  const document = await experienceDocument(scope, content);
  return { write: (transaction, artifact) => createDocument(transaction, artifact, document) };
}

/** Prepares an Experience for its rows. */
export function experienceDocument(scope: ScopeAddress, content: ExperienceContent): Promise<Document> {
  return toDocument(scope, 'experience', content, searchedText(content));
}
