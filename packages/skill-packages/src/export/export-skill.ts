import { lstat, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentKind, slugPattern } from '@continuity/contract/skill-format';
import type { PackageDownload } from '@continuity/contract/skills';
import { codePointLength } from '@continuity/contract/text';
import { treeDigest } from '../canonical-archive.ts';
import { inCanonicalOrder, listFile, type PackageFile, sha256 } from '../files.ts';
import { openArchive, type SkillPackage } from '../package.ts';
import type { SkillFields } from '../skill-file/fields.ts';
import { decodeBase64 } from '../zip/extract.ts';
import { readTree, writeTree } from './tree-files.ts';

interface AgentFormat {
  /** Folders from the project to the root of its Skills. */
  root: readonly [string, string];
  maxDescription: number;
  /** Characters that a description may not hold. */
  markup: RegExp | null;
}

/** Requirements of each agent (spec 40 §5.7). */
export const agentFormats: Readonly<Record<AgentKind, AgentFormat>> = {
  codex: { root: ['.agents', 'skills'], maxDescription: 1_024, markup: /[<>]/ },
  claude_code: { root: ['.claude', 'skills'], maxDescription: 1_536, markup: null },
};

const slug = new RegExp(slugPattern);

/** Describes the first requirement of the agent that a Skill does not meet; undefined if it meets all. */
export function findFormatProblem(
  agent: AgentKind,
  { name, description }: Pick<SkillFields, 'name' | 'description'>,
): 'description_markup' | 'description_length' | 'name' | undefined {
  const { maxDescription, markup } = agentFormats[agent];
  if (markup?.test(description)) return 'description_markup';
  if (codePointLength(description) > maxDescription) return 'description_length';
  return slug.test(name) ? undefined : 'name';
}

/** Why a package is not placed on a host. */
export type ExportReason =
  /** The bytes are not those that the digests name. */
  | 'digest_mismatch'
  /** The agent does not load a Skill with this name or description. */
  | 'agent_format'
  /** A file or folder has the place of the Skill. */
  | 'exists'
  /** A folder on the way to the Skill is a link or a file. */
  | 'not_a_directory';

/** A package that cannot be exported. An archive that breaks the format is an `InvalidPackageError`. */
export class ExportError extends Error {
  override name = 'ExportError';
  readonly reason: ExportReason;

  constructor(reason: ExportReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Destination of a package. */
export interface ExportTarget {
  /** Folder of the project. */
  project: string;
  agent: AgentKind;
}

/**
 * Places a downloaded package below a project, where its agent loads it (spec 40 §5.7). Returns the folder of the Skill. The folder appears
 * complete or not at all. Runs nothing, and follows no link below the project. Throws `InvalidPackageError` for an archive that breaks the
 * format and `ExportError`.
 */
export async function exportSkill(
  { package: expected, archive_base64 }: PackageDownload,
  { project, agent }: ExportTarget,
): Promise<string> {
  const archive = decodeBase64(archive_base64);
  requireDigest(sha256(archive).toString('hex'), expected.archive_digest);
  const opened = openArchive(archive);
  requireDigest(opened.ref.tree_digest, expected.tree_digest);
  requireFormat(agent, opened);
  const [hidden, skills] = agentFormats[agent].root;
  const parent = await makeDirectory(await realpath(project), hidden);
  const target = join(await makeDirectory(parent, skills), opened.fields.name);
  await requireFree(target);
  // Beside the root, so on the same file system. Agents look for Skills in the root alone.
  const staging = await mkdtemp(join(parent, '.skill-staging-'));
  try {
    await writeTree(staging, opened.files);
    requireDigest(digestOf(await readTree(staging)), expected.tree_digest);
    await requireFree(target);
    await rename(staging, target).catch(refuseTaken(target));
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  return target;
}

function requireDigest(actual: string, expected: string): void {
  if (actual === expected) return;
  throw new ExportError('digest_mismatch', `The bytes have the digest ${actual}, not ${expected}.`);
}

function requireFormat(agent: AgentKind, { fields }: SkillPackage): void {
  const problem = findFormatProblem(agent, fields);
  if (problem === undefined) return;
  throw new ExportError('agent_format', `${agent} does not load the Skill ${fields.name}: ${problem}.`);
}

/** Makes a folder if it is missing. Throws for a link or a file in its place. */
async function makeDirectory(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if ((await lstat(path)).isDirectory()) return path;
  throw new ExportError('not_a_directory', `${path} is not a real folder.`);
}

/** Throws if anything has the path, a dangling link included. */
async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined) throw taken(path);
}

/** Handles a failed rename: another process may have taken the path meanwhile. */
function refuseTaken(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(error.code ?? '')) throw taken(path);
    throw error;
  };
}

function taken(path: string): ExportError {
  return new ExportError('exists', `${path} exists. Remove it, or export the Skill to another project.`);
}

function digestOf(files: readonly PackageFile[]): string {
  return treeDigest(inCanonicalOrder(files).map(listFile));
}
