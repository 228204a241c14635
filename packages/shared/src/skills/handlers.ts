import type { ArtifactRef } from '@continuity/contract';
import type { SkillContent, skillOperations } from '@continuity/contract/skills';
import type { Database, TenantId } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Handlers } from '@continuity/shared/handlers';
import { requireDocument } from '../documents/index.ts';
import type { CorpusCache } from '../search/index.ts';
import { listSkills, searchSkills, writeLibrary } from './library.ts';
import { changeLifecycle } from './lifecycle.ts';
import { readDownload, readManifest } from './package-store.ts';
import { proposePackage } from './propose-package.ts';
import { recordUsage } from './record-usage.ts';
import type { PackageThreads } from './threads/package-threads.ts';

/** Dependencies of the operations on Skills. */
export interface SkillDeps {
  database: Database;
  clock: Clock;
  packageThreads: PackageThreads;
  searchDeps: { corpusCache: CorpusCache };
}

export const skillHandlers: Handlers<typeof skillOperations, SkillDeps> = {
  propose_skill_package: async (deps, caller, { headers, body }) => ({
    body: await proposePackage(deps, caller, body, headers['idempotency-key']),
  }),

  get_skill: async ({ database }, { tenantId }, { body }) => {
    const { artifact } = body;
    const { content, source_refs, artifact_refs } = await requireSkill(database, tenantId, body);
    return { body: { artifact, content: JSON.parse(content) as SkillContent, source_refs, artifact_refs } };
  },

  list_managed_skills: async ({ database, searchDeps }, { tenantId }, { body }) => {
    const { scope_id: scopeId, include_deprecated: includeDeprecated, limit, query } = body;
    const asked = { tenantId, scopeId, includeDeprecated, limit };
    const rows =
      query === null
        ? await listSkills(database.sql, asked)
        : await searchSkills(database.sql, searchDeps.corpusCache, asked, query);
    return await writeLibrary(rows);
  },

  update_skill_lifecycle: async ({ database }, { tenantId }, { body }) => ({
    body: await changeLifecycle(database, {
      tenantId,
      scopeId: body.scope_id,
      artifactId: body.artifact_id,
      expectedGeneration: body.expected_generation,
      state: body.lifecycle_state,
      replacementId: body.replacement_artifact_id,
    }),
  }),

  get_skill_package_manifest: async ({ database }, { tenantId }, { body }) => {
    const { place, treeDigest } = await findPackageOf(database, tenantId, body);
    return { body: await readManifest(database, place, treeDigest) };
  },

  download_skill_package: async ({ database }, { tenantId }, { body }) => {
    const { place, treeDigest } = await findPackageOf(database, tenantId, body);
    return readDownload(database, place, treeDigest);
  },

  record_skill_usage: async ({ database }, { tenantId }, { body }) => {
    const position = await recordUsage(database, tenantId, body);
    const source = { name: 'skill-usage', source_id: body.observation_id };
    return { body: { status: 'accepted', source, position } };
  },
};

/** The names of a Skill revision in a request. */
interface NamedSkill {
  scope_id: string;
  artifact: ArtifactRef;
}

function requireSkill(database: Database, tenantId: TenantId, { scope_id: scopeId, artifact }: NamedSkill) {
  return requireDocument(database, { tenantId, scopeId, family: 'skill', artifact });
}

async function findPackageOf(database: Database, tenantId: TenantId, named: NamedSkill) {
  const { scopeKey, content } = await requireSkill(database, tenantId, named);
  const { package: ref } = JSON.parse(content) as SkillContent;
  if (ref === null) throw new Error('A Skill is stored without its package.');
  return { place: { tenantId, scopeKey }, treeDigest: ref.tree_digest };
}
