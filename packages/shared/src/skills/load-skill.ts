import type { SkillContent } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import { entrypoint, type SkillFields, type SkillPackage } from '@continuity/skill-packages';
import { contentOf, type DecidedSkill } from './decide-content.ts';
import { loadPackage, type PackagePlace } from './store.ts';
import type { PackageThreads } from './threads/package-threads.ts';

/**
 * Reads a reviewed Skill with its package, and verifies that the package is as it was written and that its `SKILL.md` says what the
 * content says (spec 40 §4, approve rule 2). Throws otherwise.
 */
export async function loadReviewedSkill(
  queries: Pick<Queries, 'sql'>,
  threads: PackageThreads,
  place: PackagePlace,
  content: SkillContent,
): Promise<DecidedSkill> {
  if (content.package === null) throw new Error('A Skill is stored without its package.');
  const loaded = await loadPackage(queries, place, content.package.tree_digest);
  const fields = await readSkillFileOf(loaded, threads, place);
  if (canonicalJson(contentOf({ ref: loaded.ref, fields })) !== canonicalJson(content)) {
    throw new Error('The package of a Skill is not the one that was reviewed.');
  }
  return { content, package: loaded, isStored: true };
}

function readSkillFileOf(
  { files }: SkillPackage,
  threads: PackageThreads,
  { tenantId }: PackagePlace,
): Promise<SkillFields> {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A stored package has no SKILL.md.');
  return threads.readFields(tenantId, skillFile.bytes);
}
