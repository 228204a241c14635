import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import type { PrismaTransaction } from '@continuity/shared/kernel';
import {
  addManagedSkill,
  checkSkill,
  completeSkill,
  type DecidedSkill,
  decideSkill,
  loadPackage,
  renameManagedSkill,
  requireNotRetired,
  searchedText,
  storePackage,
} from '../../skills/index.ts';
import type { ArtifactFamily, NewArtifact, WrittenRevision } from '../family.ts';
import { createDocument, type Document, replaceDocument, toDocument } from './document.ts';
import { readStoredContent } from './stored-content.ts';

/** Skills in the Artifact operations. The stored content is what the package says (spec 10 §6.3). */
export const skillFamily: ArtifactFamily<SkillContentInput, SkillContentInput> = {
  check: (content) => checkSkill(content, 'content'),

  complete: completeSkill,

  create: async (transaction, artifact, sent) => {
    const skill = await decideSkill(transaction, artifact, sent, 'content');
    return createSkill(transaction, artifact, skill);
  },

  replace: async (queries, head, sent) => {
    const skill = await decideSkill(queries, head, sent, 'content');
    const document = documentOf(skill);
    return {
      write: async (transaction, source) => {
        await renameManagedSkill(transaction, head, skill.content.name);
        if (!skill.isStored) await storePackage(transaction, head, skill.package);
        return replaceDocument(transaction, head, source, document);
      },
    };
  },

  publish: async (transaction, artifact, published) => {
    await requireNotRetired(transaction, published);
    const { content } = readStoredContent<SkillContent>(published);
    if (content.package === null) throw new Error('A Skill is stored without its package.');
    const known = await loadPackage(transaction, published, content.package.tree_digest);
    return createSkill(transaction, artifact, { content, package: known, isStored: false });
  },

  present: async (_queries, stored) => readStoredContent<SkillContent>(stored),
};

async function createSkill(
  transaction: PrismaTransaction,
  artifact: NewArtifact,
  skill: DecidedSkill,
): Promise<WrittenRevision> {
  if (!skill.isStored) await storePackage(transaction, artifact, skill.package);
  const written = await createDocument(transaction, artifact, documentOf(skill));
  await addManagedSkill(transaction, { ...artifact, artifactKey: written.artifactKey }, skill.content.name);
  return written;
}

function documentOf(skill: DecidedSkill): Document {
  return toDocument('skill', skill.content, searchedText(skill.package));
}
