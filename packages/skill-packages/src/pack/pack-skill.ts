import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import { maxPackageBytes, maxPackageFiles } from '@continuity/contract/skill-format';
import type { PackageAdjustments, SkillPackageRef } from '@continuity/contract/skills';
import { entrypoint, type PackageFile } from '../files.ts';
import { cutEntryName, InvalidPackageError } from '../invalid-package-error.ts';
import { admitFiles } from '../package.ts';
import { foldPath } from '../paths.ts';
import { fixSkillFile, type LineFix } from '../skill-file/fix-skill-file.ts';
import { bytesOfBuffer, bytesOfFile } from './archive-bytes.ts';
import { folderEntries } from './folder-entries.ts';
import type { PackEntry, PackSource } from './pack-entry.ts';
import { zipEntries } from './zip-entries.ts';

/** Names, and folders with a Skill, that are listed at most. */
const maxListed = 64;

export interface PackOptions {
  /** Folder of the Skill in the input, for an input with several; `.` is the root. */
  path?: string | undefined;
  /** Quote values of the front matter that YAML reads otherwise, and drop a byte-order mark, in the archive alone. */
  fix?: boolean | undefined;
}

/** A Skill that is ready for `propose_skill_package`. */
export interface PackedSkill {
  /** The canonical archive (spec 40 §5.4). */
  archive: Buffer;
  package: SkillPackageRef;
  name: string;
  description: string;
  /** What was left out, and the folder that was taken off or chosen. */
  adjusted: PackageAdjustments;
  /** Names that were mended, at most 64. */
  renamed: { from: string; to: string }[];
  /** Lines of `SKILL.md` that differ from the input. */
  fixes: LineFix[];
}

/** The input has several Skills, or files beside the folder of its Skill: `path` must choose. */
export class SkillChoiceError extends Error {
  override name = 'SkillChoiceError';
  /** Folders with a `SKILL.md`, at most 64; `.` is the root. */
  readonly folders: readonly string[];

  constructor(message: string, folders: readonly string[]) {
    super(message);
    this.folders = folders;
  }
}

/**
 * Packs a Skill from a folder, or from a ZIP archive of any desktop tool, for upload (spec 70 §8.2). `input` is a path or the bytes of an
 * archive. Reads no more of an archive than its directory and the files of the Skill. Throws `InvalidPackageError` for what the service
 * would refuse, `SkillChoiceError`, and the errors of the file system.
 */
export async function packSkill(input: string | Uint8Array, options: PackOptions = {}): Promise<PackedSkill> {
  if (typeof input !== 'string') {
    const archive = bytesOfBuffer(input);
    return pack(() => zipEntries(archive), options);
  }
  if (statSync(input).isDirectory()) return pack(() => folderEntries(input), options);
  const descriptor = openSync(input, 'r');
  try {
    const archive = bytesOfFile(descriptor, fstatSync(descriptor).size);
    return pack(() => zipEntries(archive), options);
  } finally {
    closeSync(descriptor);
  }
}

function pack(source: PackSource, { path, fix = false }: PackOptions): PackedSkill {
  const root = path === undefined ? findOnlySkill(source) : requireSkill(source, path);
  const { tree, adjusted, renamed } = readSkill(source, root);
  const fixes: LineFix[] = [];
  const files = tree.map((file) => {
    if (!fix || file.path !== entrypoint) return file;
    const fixed = fixSkillFile(file.bytes);
    fixes.push(...fixed.fixes);
    return { ...file, bytes: fixed.bytes };
  });
  const { archive, ref, fields } = admitFiles(files, { admission: 'new' });
  const { name, description } = fields;
  return { archive, package: ref, name, description, adjusted, renamed, fixes };
}

/** What a first look at the input finds. */
interface Survey {
  /** Folders with a `SKILL.md`, at most 64, and their number. The root is an empty text. */
  folders: string[];
  count: number;
  /** A file whose name is `SKILL.md` in another case. */
  misspelled: string | undefined;
}

function survey(source: PackSource): Survey {
  const found: Survey = { folders: [], count: 0, misspelled: undefined };
  for (const { path, isDirectory, isLeftOut } of source()) {
    if (isDirectory || isLeftOut) continue;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (name === entrypoint) {
      found.count += 1;
      if (found.folders.length < maxListed) found.folders.push(path.slice(0, Math.max(0, slash)));
    } else if (name.length === entrypoint.length && foldPath(name) === foldPath(entrypoint)) {
      found.misspelled ??= path;
    }
  }
  return found;
}

/** The folder of the one Skill of the input, where nothing lies outside of it. */
function findOnlySkill(source: PackSource): string {
  const found = survey(source);
  const [only] = found.folders;
  if (only === undefined) throw missing(found);
  if (found.count > 1) throw choice(`has ${found.count} Skills`, found);
  if (only === '') return only;
  for (const { path, isDirectory, isLeftOut } of source()) {
    if (isLeftOut || isDirectory || path.startsWith(`${only}/`)) continue;
    throw choice(`has "${drawHiddenCharacters(path)}" beside its Skill`, found);
  }
  return only;
}

function requireSkill(source: PackSource, path: string): string {
  const root = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+|\/+$/g, '')
    .replace(/^\.$/, '')
    .normalize('NFC');
  const entry = root === '' ? entrypoint : `${root}/${entrypoint}`;
  for (const one of source()) if (one.path === entry && !one.isDirectory && !one.isLeftOut) return root;
  const found = survey(source);
  if (found.count === 0) throw missing(found);
  throw choice(`has no ${entrypoint} in "${drawHiddenCharacters(path)}"`, found);
}

function missing({ misspelled }: Survey): InvalidPackageError {
  const found =
    misspelled === undefined
      ? ''
      : `, and has ${drawHiddenCharacters(misspelled)}. Rename it to ${entrypoint}`;
  return new InvalidPackageError('missing_entrypoint', `must have a file ${entrypoint}${found}`);
}

function choice(problem: string, { folders, count }: Survey): SkillChoiceError {
  const shown = folders.map((folder) => (folder === '' ? '.' : folder)).sort();
  const more = count > shown.length ? [`and ${count - shown.length} more`] : [];
  const lines = [...shown.map((folder) => drawHiddenCharacters(folder)), ...more];
  return new SkillChoiceError(`${problem}. Choose one with --path:\n  ${lines.join('\n  ')}`, shown);
}

type ReadSkill = Pick<PackedSkill, 'adjusted' | 'renamed'> & { tree: PackageFile[] };

/** Reads the files below the folder of a Skill. Counts and sizes are bounded before anything is read. */
function readSkill(source: PackSource, root: string): ReadSkill {
  const prefix = root === '' ? '' : `${root}/`;
  const adjusted: PackageAdjustments = { left_out: [], left_out_count: 0, removed_folder: root || null };
  const entries: PackEntry[] = [];
  let size = 0;
  for (const entry of source()) {
    if (entry.isLeftOut) noteLeftOut(adjusted, entry);
    else if (entry.path.startsWith(prefix)) {
      if (entry.problem !== undefined) throw refusal(entry);
      if (entry.isDirectory) continue;
      entries.push(entry);
      size += entry.size;
      requireBounds(entries.length, size);
    }
  }
  const renamed = entries.filter(({ name, path }) => name !== path).slice(0, maxListed);
  const tree = entries.map((entry) => ({
    path: entry.path.slice(prefix.length),
    executable: entry.executable,
    bytes: entry.read(),
  }));
  return { tree, adjusted, renamed: renamed.map(({ name, path }) => ({ from: name, to: path })) };
}

function noteLeftOut(adjusted: PackageAdjustments, { name }: PackEntry): void {
  adjusted.left_out_count += 1;
  if (adjusted.left_out.length < maxListed) adjusted.left_out.push(cutEntryName(name));
}

function requireBounds(files: number, size: number): void {
  if (files > maxPackageFiles) {
    const message = `must have at most ${maxPackageFiles} files, and has more`;
    throw new InvalidPackageError('too_many_files', message);
  }
  if (size > maxPackageBytes) {
    const message = `must have files of at most ${maxPackageBytes} bytes in all, and has more`;
    throw new InvalidPackageError('package_too_large', message);
  }
}

function refusal({ name, problem }: PackEntry): InvalidPackageError {
  const { reason, message } = problem ?? { reason: 'special_entry', message: 'is not a regular file' };
  return new InvalidPackageError(reason, `"${drawHiddenCharacters(name)}" ${message}`, { entry: name });
}
