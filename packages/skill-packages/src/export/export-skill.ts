import { lstat, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentKind } from '@continuity/contract/skill-format';
import type { PackageDownload } from '@continuity/contract/skills';
import { inCanonicalOrder, listFile, type PackageFile, sha256 } from '../files.ts';
import { openArchive, type SkillPackage } from '../package.ts';
import { treeDigest } from '../tree-digest.ts';
import { decodeBase64 } from '../zip/read-archive.ts';
import { agentFormats, findFormatProblem } from './agent-formats.ts';
import { ExportError } from './export-error.ts';
import { readTree, writeTree } from './tree-files.ts';

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
