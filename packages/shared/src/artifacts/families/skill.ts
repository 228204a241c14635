import type { SourceTypeRef } from '@continuity/contract';
import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import type { PrismaTransaction, Queries } from '@continuity/kernel/database';
import { findScopeKey } from '../../scopes/index.ts';
import {
  addManagedSkill,
  checkSkill,
  completeSkill,
  type DecidedSkill,
  decideSkill,
  loadPackage,
  type PackagePlace,
  renameManagedSkill,
  requireNotRetired,
  retiredSkillMessage,
  searchedText,
  storePackage,
} from '../../skills/index.ts';
import type { ArtifactFamily, Lineage, NewArtifact, ScopeAddress, WrittenRevision } from '../family.ts';
import { createDocument, type Document, type DocumentHead, replaceDocument, toDocument } from './document.ts';
import { readStoredContent } from './stored-content.ts';

/** Skills in the Artifact operations. The stored content comes from the package (spec 10 §6.3). */
export const skillFamily: ArtifactFamily<SkillContentInput, SkillContentInput> = {
  check: (content) => checkSkill(content, 'content'),

  complete: completeSkill,

  create: async (queries, scope, sent) => {
    const skill = await decideSkill(queries, await findPlace(queries, scope, sent), sent, 'content');
    const document = await skillDocument(scope, skill);
    return { write: (transaction, artifact) => createSkill(transaction, artifact, skill, document) };
  },

  replace: async (queries, head, sent) => {
    const skill = await decideSkill(queries, head, sent, 'content');
    const document = await skillDocument(head, skill);
    return { write: (transaction, source) => replaceSkill(transaction, head, source, skill, document) };
  },

  publish: async (queries, scope, published) => {
    await requireNotRetired(queries, published, retiredSkillMessage);
    const { content } = readStoredContent<SkillContent>(published);
    if (content.package === null) throw new Error('A Skill is stored without its package.');
    const known = await loadPackage(queries, published, content.package.tree_digest);
    const skill = { content, package: known, isStored: false };
    const document = await skillDocument(scope, skill);
    return {
      write: async (transaction, artifact) => {
        // It may have been retired since.
        await requireNotRetired(transaction, published, retiredSkillMessage);
        return createSkill(transaction, artifact, skill, document);
      },
    };
  },

  present: async (_queries, stored) => readStoredContent<SkillContent>(stored),
};

/** The Scope of the package that a content names; undefined if it names none, or the Scope does not exist. */
async function findPlace(
  { sql }: Queries,
  { tenantId, scopeId }: ScopeAddress,
  sent: SkillContentInput,
): Promise<PackagePlace | undefined> {
  const scopeKey = sent.package ? await findScopeKey(sql, tenantId, scopeId) : undefined;
  return scopeKey === undefined ? undefined : { tenantId, scopeKey };
}

/** Writes revision one of a new Skill, with its package and its governance. */
export async function createSkill(
  transaction: PrismaTransaction,
  artifact: NewArtifact,
  skill: DecidedSkill,
  document: Document,
  evidence?: Lineage,
): Promise<WrittenRevision> {
  if (!skill.isStored) await storePackage(transaction, artifact, skill.package);
  const written = await createDocument(transaction, artifact, document, evidence);
  await addManagedSkill(transaction, { ...artifact, ...written }, skill.content.name);
  return written;
}

/** Writes the next revision of a locked head, with its package. Throws 409 `governance_conflict` for a retired Skill. */
export async function replaceSkill(
  transaction: PrismaTransaction,
  head: DocumentHead,
  source: SourceTypeRef,
  skill: DecidedSkill,
  document: Document,
  evidence?: Lineage,
): Promise<WrittenRevision> {
  await renameManagedSkill(transaction, head, skill.content.name);
  if (!skill.isStored) await storePackage(transaction, head, skill.package);
  return replaceDocument(transaction, head, source, document, evidence);
}

/** Prepares a Skill for its rows. */
export function skillDocument(scope: ScopeAddress, skill: DecidedSkill): Promise<Document> {
  return toDocument(scope, 'skill', skill.content, searchedText(skill.package));
}
