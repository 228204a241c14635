import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import { canonicalJson, hashHex, newId, type Sql } from '@continuity/shared/kernel';
import { type DocumentRevision, writeFirst, writeNext } from '../../documents/index.ts';
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
import { presentKept } from './kept-content.ts';

/** Skills through the Artifact operations: what is kept is what their package says (spec 10 §6.3). */
export const skillFamily: ArtifactFamily<SkillContentInput, SkillContentInput> = {
  check: (content) => checkSkill(content, 'content'),

  complete: completeSkill,

  create: async (sql, artifact, sent) => {
    const skill = await decideSkill(sql, artifact, sent, 'content');
    return writeNew(sql, artifact, skill);
  },

  replace: async (sql, { artifacts, artifactId, ...head }, sent) => {
    const skill = await decideSkill(sql, head, sent, 'content');
    const document = documentOf(skill);
    return {
      commit: async (transaction, source) => {
        await Promise.all([
          renameManagedSkill(transaction, head, skill.content.name),
          skill.isKept ? undefined : storePackage(transaction, head, skill.package),
        ]);
        const revision = { ...document, sources: [source], artifacts };
        await writeNext(
          (last, values) => transaction.commitWith(last, values),
          { ...head, family: 'skill' },
          revision,
        );
        return { ...revision, content: skill.content, artifactId, revision: head.revision + 1 };
      },
    };
  },

  publish: async (sql, artifact, published) => {
    await requireNotRetired(sql, published);
    const { content } = presentKept<SkillContent>(published);
    if (content.package === null) throw new Error('A Skill is kept without its package.');
    const known = await loadPackage(sql, published, content.package.tree_digest);
    return writeNew(sql, artifact, { content, package: known, isKept: false });
  },

  present: async (_sql, stored) => presentKept<SkillContent>(stored),
};

/** All rows of a new Skill, in one round trip. */
async function writeNew(
  sql: Sql,
  { source, ...scope }: NewArtifact,
  skill: DecidedSkill,
): Promise<WrittenRevision> {
  const artifactId = newId();
  const document = { ...scope, family: 'skill' as const, artifactId };
  const revision = { ...documentOf(skill), sources: [source], artifacts: [] };
  await Promise.all([
    skill.isKept ? undefined : storePackage(sql, scope, skill.package),
    writeFirst(sql.rows, document, revision),
    addManagedSkill(sql, document, skill.content.name),
  ]);
  return { ...revision, content: skill.content, artifactId, revision: 1 };
}

function documentOf(skill: DecidedSkill): Omit<DocumentRevision, 'sources' | 'artifacts'> {
  const content = canonicalJson(skill.content);
  return { content, contentDigest: hashHex(content), searched: searchedText(skill.package) };
}
