import type { PackageField, PackageReason } from '@continuity/contract/skill-format';
import type { PackageAdjustments, PackageSummary } from '@continuity/contract/skills';
import { asBuffer, defineThread, transferableBuffers } from '@continuity/kernel/threads';
import {
  decodeBase64,
  InvalidPackageError,
  openUpload,
  readArchive,
  readSkillFile,
  type SkillFields,
  type SkillPackage,
  sha256,
  summarizePackage,
} from '@continuity/skill-packages';

/** Opens an uploaded archive, reads the fields of a `SKILL.md`, or summarizes a stored archive. */
export type PackageTask =
  | { kind: 'open'; archiveBase64: string }
  | { kind: 'read'; skillFile: Uint8Array }
  | { kind: 'summarize'; archive: Uint8Array };

/** A package from an upload, without views of the uploaded bytes. */
export type UploadedPackage = Omit<SkillPackage, 'files'> & {
  /** What was mended in the archive. */
  adjusted: PackageAdjustments;
  /** SHA-256 of the uploaded archive, 64 hex digits. */
  uploadDigest: string;
};

/** `InvalidPackageError` as a message can carry it. */
export interface RefusedPackage {
  reason: PackageReason;
  message: string;
  entry: string | null;
  field: PackageField | null;
  line: number | null;
  column: number | null;
}

export type PackageTaskResult =
  | { kind: 'opened'; opened: UploadedPackage }
  | { kind: 'read'; fields: SkillFields }
  | { kind: 'summarized'; summary: PackageSummary }
  | { kind: 'refused'; refused: RefusedPackage };

/** A thread that reads packages. It has no access to the database or to settings. */
export const packageThread = defineThread(
  (task: PackageTask): PackageTaskResult => {
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
  const { files: _views, ...opened } = openUpload(upload);
  return { kind: 'opened', opened: { ...opened, uploadDigest: sha256(upload).toString('hex') } };
}

function read(skillFile: Uint8Array): PackageTaskResult {
  return { kind: 'read', fields: readSkillFile(asBuffer(skillFile)) };
}
