import type { AgentKind } from '@continuity/contract/skill-format';
import { asBuffer, defineThread, transferableBuffers } from '@continuity/kernel/threads';
import {
  admitFiles,
  entrypoint,
  InvalidPackageError,
  readArchive,
  readSkillSummary,
  renamePackage,
  type SkillPackage,
} from '@continuity/skill-packages';
import type { RefusedPackage } from '../../skills/index.ts';
import {
  faultOf,
  type ListedRoot,
  listRoot,
  type ReadFault,
  readTree,
  UnreadableSkill,
} from './read-tree.ts';

/** A package on the disk of this host. `path` is absolute and has no links. */
export interface SkillDirectory {
  path: string;
  /** Name of the directory. */
  name: string;
}

/** A task of a thread. */
export type ReadTask =
  | { kind: 'list'; root: string }
  | { kind: 'describe'; directory: SkillDirectory; agentKind: AgentKind }
  | { kind: 'fingerprint'; directory: SkillDirectory }
  | { kind: 'capture'; directory: SkillDirectory }
  | { kind: 'rename'; archive: Uint8Array; name: string };

/** A package that can be registered. */
export interface DescribedSkill {
  fingerprint: string;
  name: string;
  description: string;
}

/** A package without its files, which are views of the archive. */
export type PackageBytes = Omit<SkillPackage, 'files'>;

export type ReadResult =
  | { kind: 'listed'; listed: ListedRoot }
  | { kind: 'described'; described: DescribedSkill }
  | { kind: 'fingerprint'; fingerprint: string }
  | { kind: 'captured'; fingerprint: string; package: PackageBytes }
  | { kind: 'renamed'; package: PackageBytes }
  /** The tree breaks a rule of packages. `fingerprint` is null for one that was not read from the disk. */
  | { kind: 'refused'; fingerprint: string | null; refused: RefusedPackage }
  /** The directory is no External Skill, or changed while it was read. */
  | ({ kind: 'unreadable' } & ReadFault);

type Task<Kind extends ReadTask['kind']> = Extract<ReadTask, { kind: Kind }>;

/** A thread that reads packages from the disk. It has no access to the database or to settings. */
export const readThread = defineThread(
  (task: ReadTask): ReadResult => {
    try {
      return run(task);
    } catch (error) {
      const fault = findFault(error);
      if (fault === undefined) throw error;
      return { kind: 'unreadable', ...fault };
    }
  },
  (result) => ('package' in result ? transferableBuffers(result.package.archive) : []),
);

function run(task: ReadTask): ReadResult {
  switch (task.kind) {
    case 'list':
      return { kind: 'listed', listed: listRoot(task.root) };
    case 'describe':
      return describe(task);
    case 'fingerprint':
      return { kind: 'fingerprint', fingerprint: readTree(task.directory.path, () => false).fingerprint };
    case 'capture':
      return capture(task);
    case 'rename':
      return rename(task);
  }
}

function describe({ directory, agentKind }: Task<'describe'>): ReadResult {
  const { fingerprint, kept } = readTree(directory.path, (path) => path === entrypoint);
  const { name, description } = readSkillSummary(kept[0]?.bytes ?? Buffer.alloc(0));
  // Codex requires a name; Claude Code takes that of the directory.
  const ownName = name ?? (agentKind === 'claude_code' ? directory.name : null);
  if (ownName === null) throw new UnreadableSkill(`has a ${entrypoint} without a name`);
  return { kind: 'described', described: { fingerprint, name: ownName, description } };
}

function capture({ directory }: Task<'capture'>): ReadResult {
  const { fingerprint, kept } = readTree(directory.path, () => true);
  return admit(fingerprint, () => ({
    kind: 'captured',
    fingerprint,
    package: withoutFiles(admitFiles(kept, { admission: 'new', directoryName: directory.name })),
  }));
}

function rename({ archive, name }: Task<'rename'>): ReadResult {
  const files = readArchive(asBuffer(archive));
  return admit(null, () => ({ kind: 'renamed', package: withoutFiles(renamePackage(files, name)) }));
}

function admit(fingerprint: string | null, makePackage: () => ReadResult): ReadResult {
  try {
    return makePackage();
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error;
    const { reason, message, entry, field, line, column } = error;
    return { kind: 'refused', fingerprint, refused: { reason, message, entry, field, line, column } };
  }
}

function withoutFiles({ files: _views, ...bytes }: SkillPackage): PackageBytes {
  return bytes;
}

/** Why a directory is no External Skill; undefined for an unexpected error. */
function findFault(error: unknown): ReadFault | undefined {
  if (error instanceof InvalidPackageError) {
    const { message, line, column } = error;
    return { message, line, column };
  }
  if (error instanceof UnreadableSkill) return faultOf(error.message);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? faultOf(`cannot be read: ${code}`) : undefined;
}
