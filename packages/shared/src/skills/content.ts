import { isUtf8 } from 'node:buffer';
import type { Issue } from '@continuity/contract';
import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import {
  buildPackage,
  entrypoint,
  findFieldIssues,
  type PackageFile,
  type SkillFields,
  type SkillPackage,
} from '@continuity/skill-packages';
import type { PackageReader, Proposed } from '../review/index.ts';
import {
  findPackage,
  loadPackage,
  type PackageFacts,
  type PackagePlace,
  storePackage,
} from './package-store.ts';

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

/** Makes the proposal of a Candidate. */
export function proposedSkill({ content, package: pack, isStored }: DecidedSkill): Proposed {
  return {
    family: 'skill',
    content,
    title: content.name,
    package: { ref: pack.ref, executableCount: pack.list.filter(({ executable }) => executable).length },
    store: async (queries, place) => {
      if (!isStored) await storePackage(queries, place, pack);
    },
  };
}

/**
 * Reads a reviewed Skill with its package, and verifies that the package is as it was written and that its `SKILL.md` says what the
 * content says (spec 40 §4, approve rule 2). Throws otherwise.
 */
export async function loadReviewedSkill(
  queries: Pick<Queries, 'sql'>,
  reader: PackageReader,
  place: PackagePlace,
  content: SkillContent,
): Promise<DecidedSkill> {
  if (content.package === null) throw new Error('A Skill is stored without its package.');
  const loaded = await loadPackage(queries, place, content.package.tree_digest);
  const fields = await readSkillFileOf(loaded, reader, place);
  if (canonicalJson(contentOf({ ref: loaded.ref, fields })) !== canonicalJson(content)) {
    throw new Error('The package of a Skill is not the one that was reviewed.');
  }
  return { content, package: loaded, isStored: true };
}

function readSkillFileOf(
  { files }: SkillPackage,
  reader: PackageReader,
  { tenantId }: PackagePlace,
): Promise<SkillFields> {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A stored package has no SKILL.md.');
  return reader.readFields(tenantId, skillFile.bytes);
}

/** Limits of the searched files of a package, in bytes: of one file, and of all (spec 40 §6.4). */
const maxSearchedFile = 131_072;
const maxSearchedFiles = 262_144;

const reference = /^references\/.*\.(md|txt)$/s;

/**
 * Returns the text of a Skill that lexical search reads (spec 40 §6.4): the fields and paths of the package, and the text of
 * `SKILL.md`, which has the instructions, and of the references. Scripts and assets are not searched.
 */
export function searchedText({ fields, files }: Pick<SkillPackage, 'fields' | 'files'>): string {
  const { name, description, license, compatibility, metadata, allowed_tools } = fields;
  return [
    name,
    description,
    license,
    compatibility,
    allowed_tools,
    ...Object.entries(metadata).flat(),
    ...files.map(({ path }) => path),
    ...searchedFiles(files).map(({ bytes }) => bytes.toString()),
  ].join('\n');
}

/** The files that are searched, in canonical order. One that would take them over their limit is left out. */
function searchedFiles(files: readonly PackageFile[]): PackageFile[] {
  let size = 0;
  return files.filter((file) => {
    if (!isSearched(file) || size + file.bytes.length > maxSearchedFiles) return false;
    size += file.bytes.length;
    return true;
  });
}

function isSearched({ path, bytes }: PackageFile): boolean {
  return (path === entrypoint || reference.test(path)) && bytes.length <= maxSearchedFile && isUtf8(bytes);
}
