import type { PackageField, PackageReason } from '@continuity/contract/skill-format';
import type { SkillPackage } from '@continuity/skill-packages';
import type { CorpusId, Projection } from '../../search/index.ts';

/** Opens an uploaded archive, or analyzes a long text for search. */
export type SkillTask =
  | { kind: 'open'; archiveBase64: string }
  | { kind: 'project'; corpus: CorpusId; text: string };

/** A package from an upload, without views of the uploaded bytes. */
export type UploadedPackage = Omit<SkillPackage, 'files'> & {
  /** SHA-256 of the uploaded archive, 64 hex digits. */
  uploadDigest: string;
};

/** `PackageRefusal` as a message can carry it. */
export interface RefusedPackage {
  reason: PackageReason;
  message: string;
  entry: string | null;
  field: PackageField | null;
}

export type SkillTaskResult =
  | { kind: 'opened'; opened: UploadedPackage }
  | { kind: 'refused'; refused: RefusedPackage }
  | { kind: 'projected'; projection: Projection };
