import type { PackageField, PackageReason } from '@continuity/contract/skill-format';
import type { SkillFields, SkillPackage } from '@continuity/skill-packages';

/** Opens an uploaded archive, or reads the fields of a `SKILL.md`. */
export type PackageTask = { kind: 'open'; archiveBase64: string } | { kind: 'read'; skillFile: Uint8Array };

/** A package from an upload, without views of the uploaded bytes. */
export type UploadedPackage = Omit<SkillPackage, 'files'> & {
  /** SHA-256 of the uploaded archive, 64 hex digits. */
  uploadDigest: string;
};

/** `InvalidPackageError` as a message can carry it. */
export interface RefusedPackage {
  reason: PackageReason;
  message: string;
  entry: string | null;
  field: PackageField | null;
}

export type PackageTaskResult =
  | { kind: 'opened'; opened: UploadedPackage }
  | { kind: 'read'; fields: SkillFields }
  | { kind: 'refused'; refused: RefusedPackage };
