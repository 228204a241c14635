import type { Issue } from '@continuity/contract';
import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import { canonicalJson, invalidRequest, type Sql } from '@continuity/shared/kernel';
import { fieldIssues } from './packages/field-rules.ts';
import { buildPackage, type SkillPackage } from './packages/package.ts';
import type { SkillFields } from './packages/skill-file.ts';
import { findPackage, loadPackage, type PackageFacts, type PackagePlace } from './packages/store.ts';

/** A content with all that a caller may leave out. */
export function completeSkill(sent: SkillContentInput): SkillContent {
  return { ...sent, package: sent.package ?? null, ...fieldsOf(sent) };
}

/** A Skill's content as it is kept, and the package that says it. */
export interface DecidedSkill {
  content: SkillContent;
  package: SkillPackage;
  /** False for one that the Scope may have to be given yet. */
  isKept: boolean;
}

/**
 * What nothing stored has a part in: the rules for a Skill that comes as fields, and that one with a package has no checks
 * beside it (spec 10 §6.3, spec 40 §5.5). Throws 422; `at` is the path of the content.
 */
export function checkSkill(content: SkillContentInput, at: string): void {
  const issues = issuesOf(content);
  if (issues.length > 0) throw invalidRequest(within(at, issues));
}

/** Builds the package of a checked content, or takes the one that it names. Throws 422 where that one says something else. */
export async function decideSkill(
  sql: Sql,
  place: PackagePlace,
  sent: SkillContentInput,
  at: string,
): Promise<DecidedSkill> {
  const ref = sent.package ?? null;
  if (ref === null) {
    const built = buildPackage(fieldsOf(sent), sent.validation);
    return { content: contentOf(built), package: built, isKept: false };
  }
  const known = await findPackage(sql, place, ref.tree_digest);
  const saysSo =
    known !== undefined &&
    canonicalJson(known.ref) === canonicalJson(ref) &&
    canonicalJson(known.says) === canonicalJson(fieldsOf(sent));
  if (!saysSo) throw invalidRequest(within(at, [known === undefined ? unknown : mismatch]));
  return { content: contentOf(known), package: await loadPackage(sql, place, ref.tree_digest), isKept: true };
}

const unknown: Issue = { path: 'package', message: 'is no package of this Scope' };
const mismatch: Issue = {
  path: 'package',
  message: 'does not say what the other fields say; validation must be empty beside it',
};

/** The content of a Skill with this package: what it says, and nothing else (spec 10 §6.3). */
function contentOf({ ref, says }: PackageFacts): SkillContent {
  const { name, description, instructions, license, compatibility, metadata, allowed_tools } = says;
  return {
    name,
    description,
    instructions,
    validation: [],
    package: ref,
    license,
    compatibility,
    metadata,
    allowed_tools,
  };
}

function fieldsOf(content: SkillContentInput): SkillFields {
  const { name, description, instructions, license, compatibility, metadata, allowed_tools } = content;
  return {
    name,
    description,
    instructions,
    license: license ?? null,
    compatibility: compatibility ?? null,
    metadata: metadata ?? {},
    allowed_tools: allowed_tools ?? null,
  };
}

function issuesOf(content: SkillContentInput): Issue[] {
  const { package: ref, validation } = content;
  if ((ref ?? null) === null) return fieldIssues(fieldsOf(content), validation);
  return validation.length > 0 ? [mismatch] : [];
}

function within(at: string, issues: Issue[]): Issue[] {
  return issues.map(({ path, message }) => ({ path: `${at}.${path}`, message }));
}
