import type { SkillContent, SkillContentInput, SkillPackageRef } from '@continuity/contract/skills';
import type { Queries, ScopeKey } from '@continuity/kernel/database';
import type { SkillPackage } from '@continuity/skill-packages';
import { type ContentPlace, documentRules, readStoredContent } from '../artifacts/index.ts';
import { type GenerationRules, readContent, textPiece } from '../generation/index.ts';
import type { CandidateRules } from '../review/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import {
  addManagedSkill,
  checkSkill,
  checkSkillLineage,
  completeSkill,
  contentOf,
  type DecidedSkill,
  decideSkill,
  loadPackage,
  loadReviewedSkill,
  type PackagePlace,
  proposedSkill,
  readDownload,
  readFilePart,
  readManifest,
  readSummary,
  renameManagedSkill,
  requireNotRetired,
  requireOriginShape,
  retiredSkillMessage,
  searchedText,
  skillTarget,
  storePackage,
} from '../skills/index.ts';
import type { FamilyRecord } from './family.ts';

/** The stored content comes from the package, which is stored with it (spec 10 §6.3). A Skill is governed from its first revision on. */
const artifacts = documentRules<SkillContentInput, DecidedSkill>({
  family: 'skill',
  check: (content) => checkSkill(content, 'content'),
  complete: completeSkill,
  decide: async (queries, place, sent) =>
    decideSkill(queries, await findPlace(queries, place, sent), sent, 'content'),
  checkPublished: (queries, published) => requireNotRetired(queries, published, retiredSkillMessage),
  decidePublished: async (queries, published) => {
    const { content } = readStoredContent<SkillContent>(published);
    const known = await loadPackage(queries, published, packageOf(content).tree_digest);
    return { content, package: known, isStored: false };
  },
  searchedText: (skill) => searchedText(skill.package),
  rows: {
    beforeFirst: (transaction, artifact, skill) => store(transaction, artifact, skill),
    afterFirst: (transaction, artifact, { content }) => addManagedSkill(transaction, artifact, content.name),
    // Throws 409 `governance_conflict` for a retired Skill.
    beforeNext: async (transaction, head, skill) => {
      await renameManagedSkill(transaction, head, skill.content.name);
      await store(transaction, head, skill);
    },
  },
});

const candidates: CandidateRules<SkillContentInput, SkillContent> = {
  ...skillTarget,
  check: (content) => checkSkill(content, 'proposal'),
  complete: completeSkill,
  decide: async (queries, place, sent) => proposedSkill(await decideSkill(queries, place, sent, 'proposal')),
  checkLineage: checkSkillLineage,
  prepareApproved: async ({ queries, packageThreads }, place, content) =>
    artifacts.prepare(place, await loadReviewedSkill(queries, packageThreads, place, content)),
  package: {
    readManifest: (queries, place, content) => readManifest(queries, place, packageOf(content).tree_digest),
    readSummary: ({ queries, packageThreads }, place, { tree_digest }) =>
      readSummary(queries, packageThreads, place, tree_digest),
    readFile: (queries, place, content, asked) =>
      readFilePart(queries, place, packageOf(content).tree_digest, asked),
    readDownload: (queries, place, content) => readDownload(queries, place, packageOf(content).tree_digest),
  },
};

const generation: GenerationRules<SkillPackage> = {
  setting: 'SKILL_GENERATION',
  purpose: 'skill_generation',
  versions: { builtin: 'service.skill.extract.v1', model: 'service.skill.model.v1' },
  checkRequest: (request) => requireOriginShape(requireOrigin(request), request),
  readsArtifactsFirst: ({ origin }) => origin === 'experience',
  readTarget: async (queries, place, target) => {
    const content = await readContent<SkillContent>(queries, place, target);
    return await loadPackage(queries, place, packageOf(content).tree_digest);
  },
  generate: async (generators, { request, pieces, target, signal, onUsage }) => {
    const origin = requireOrigin(request);
    const built = await generators.skill.generate({ origin, pieces, target, signal, onUsage });
    return built && proposedSkill({ content: contentOf(built), package: built, isStored: false });
  },
};

export const skillRecord = {
  artifacts,
  candidates,
  generation,

  readPiece: async (queries, place, ref) => {
    const { description, instructions } = await readContent<SkillContent>(queries, place, ref);
    return textPiece(`${description}\n\n${instructions}`);
  },
} satisfies FamilyRecord<'skill'>;

/** The Scope of the package that a content names; undefined if it names none, or the Scope does not exist. */
async function findPlace(
  { sql }: Queries,
  { tenantId, scopeId, scopeKey: known }: ContentPlace,
  sent: SkillContentInput,
): Promise<PackagePlace | undefined> {
  if (!sent.package) return undefined;
  const scopeKey: ScopeKey | undefined = known ?? (await findScopeKey(sql, tenantId, scopeId));
  return scopeKey === undefined ? undefined : { tenantId, scopeKey };
}

async function store(queries: Queries, place: PackagePlace, skill: DecidedSkill): Promise<void> {
  if (!skill.isStored) await storePackage(queries, place, skill.package);
}

function packageOf(content: SkillContent): SkillPackageRef {
  if (content.package === null) throw new Error('A Skill is stored without its package.');
  return content.package;
}

function requireOrigin<Origin>({ origin }: { origin?: Origin }): Origin {
  if (origin === undefined) throw new Error('A Skill is generated without an origin.');
  return origin;
}
