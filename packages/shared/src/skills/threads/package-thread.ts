import { asBuffer, serveTasks, transferableBuffers } from '@continuity/kernel/threads';
import {
  decodeBase64,
  InvalidPackageError,
  openArchive,
  readArchive,
  readSkillFile,
  sha256,
  summarizePackage,
} from '@continuity/skill-packages';
import type { PackageTask, PackageTaskResult } from './package-threads.ts';

// A thread that reads packages. It has no access to the database or to settings.

serveTasks<PackageTask, PackageTaskResult>(
  (task) => {
    try {
      return run(task);
    } catch (error) {
      if (!(error instanceof InvalidPackageError)) throw error;
      const { reason, message, entry, field, line, column } = error;
      return { kind: 'refused', refused: { reason, message, entry, field, line, column } };
    }
  },
  (result) => (result.kind === 'opened' ? transferableBuffers(result.opened.archive) : []),
);

function run(task: PackageTask): PackageTaskResult {
  if (task.kind === 'open') return open(task.archiveBase64);
  if (task.kind === 'read') return read(task.skillFile);
  return { kind: 'summarized', summary: summarizePackage(readArchive(asBuffer(task.archive))) };
}

function open(archiveBase64: string): PackageTaskResult {
  const upload = decodeBase64(archiveBase64);
  const { files: _views, ...opened } = openArchive(upload);
  return { kind: 'opened', opened: { ...opened, uploadDigest: sha256(upload).toString('hex') } };
}

function read(skillFile: Uint8Array): PackageTaskResult {
  return { kind: 'read', fields: readSkillFile(asBuffer(skillFile)) };
}
