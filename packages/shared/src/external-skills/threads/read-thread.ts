import { asBuffer, serveTasks, transferableBuffers } from '@continuity/kernel/threads';
import {
  admitFiles,
  entrypoint,
  InvalidPackageError,
  readArchive,
  readSkillSummary,
  renamePackage,
  type SkillPackage,
} from '@continuity/skill-packages';
import { UnreadableSkill } from '../tree/read-file.ts';
import { readTree } from '../tree/read-tree.ts';
import { listRoot } from '../tree/walk.ts';
import { faultOf, type PackageBytes, type ReadFault, type ReadResult, type ReadTask } from './tasks.ts';

// A thread that reads packages from the disk. It has no access to the database or to settings.

type Task<Kind extends ReadTask['kind']> = Extract<ReadTask, { kind: Kind }>;

serveTasks<ReadTask, ReadResult>(
  (task) => {
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
