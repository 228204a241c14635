import { createHash } from 'node:crypto';

/** The root file, which describes the Skill. */
export const entrypoint = 'SKILL.md';

/** A regular file of a package. */
export interface PackageFile {
  /** NFC, relative, with `/`. */
  path: string;
  executable: boolean;
  bytes: Buffer;
}

/** A file in the list of a package. */
export type ListedFile = {
  path: string;
  /** SHA-256 of the content, 64 hex digits. */
  digest: string;
  size: number;
  executable: boolean;
};

/** Sorts files in canonical order: by the bytes of the UTF-8 path (spec 40 §5.4). */
export function inCanonicalOrder(files: readonly PackageFile[]): PackageFile[] {
  return files.toSorted((left, right) => Buffer.compare(Buffer.from(left.path), Buffer.from(right.path)));
}

/** Describes a file for the list of its package. */
export function listFile({ path, executable, bytes }: PackageFile): ListedFile {
  return { path, digest: sha256(bytes).toString('hex'), size: bytes.length, executable };
}

/** Returns the SHA-256 digest. */
export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
