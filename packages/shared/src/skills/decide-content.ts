import type { Issue } from '@continuity/contract';
import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import {
  buildPackage,
  findFieldIssues,
  type SkillFields,
  type SkillPackage,
} from '@continuity/skill-packages';
import { findPackage, loadPackage, type PackageFacts, type PackagePlace } from './store.ts';

/** Fills in the defaults of a content. */
export function completeSkill(sent: SkillContentInput): SkillContent {
  return { ...sent, package: sent.package ?? null, ...fieldsOf(sent) };
}

/** The content of a Skill as it is stored, and its package. */
export interface DecidedSkill {
  content: SkillContent;
  package: SkillPackage;
  /** False for a package that the Scope may not have. */
  isStored: boolean;
}

/**
 * Checks the rules that depend on no stored value: those of fields without a package, and that `validation` is empty beside a
 * package (spec 10 §6.3, spec 40 §5.5). Throws 422; `at` is the path of the content.
 */
export function checkSkill(content: SkillContentInput, at: string): void {
  requireNoIssues(within(at, issuesOf(content)));
}

/**
 * Builds the package of a checked content, or reads the one that it names. Throws 422 if that one differs from the fields. `place` has
 * the named package; undefined for a Scope that does not exist.
 */
export async function decideSkill(
  queries: Queries,
  place: PackagePlace | undefined,
  sent: SkillContentInput,
  at: string,
): Promise<DecidedSkill> {
  const ref = sent.package ?? null;
  if (ref === null) {
    const built = buildPackage(fieldsOf(sent), sent.validation);
    return { content: contentOf(built), package: built, isStored: false };
  }
  if (place === undefined) throw invalidRequest(within(at, [unknown]));
  const known = await findPackage(queries, place, ref.tree_digest);
  const isEqual =
    known !== undefined &&
    canonicalJson(known.ref) === canonicalJson(ref) &&
    canonicalJson(known.fields) === canonicalJson(fieldsOf(sent));
  if (!isEqual) throw invalidRequest(within(at, [known === undefined ? unknown : mismatch]));
  return {
    content: contentOf(known),
    package: await loadPackage(queries, place, ref.tree_digest),
    isStored: true,
  };
}

const unknown: Issue = { path: 'package', message: 'must be a package of this Scope' };
const mismatch: Issue = {
  path: 'package',
  message: 'must agree with the other fields, and validation must be empty',
};

/** Returns the content of a Skill with this package (spec 10 §6.3). */
export function contentOf({ ref, fields }: PackageFacts): SkillContent {
  const { name, description, instructions, license, compatibility, metadata, allowed_tools } = fields;
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
  if ((ref ?? null) === null) return findFieldIssues(fieldsOf(content), validation);
  return validation.length > 0 ? [mismatch] : [];
}

function within(at: string, issues: Issue[]): Issue[] {
  return issues.map(({ path, message }) => ({ path: `${at}.${path}`, message }));
}
