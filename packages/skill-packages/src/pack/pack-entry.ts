import type { PackageReason } from '@continuity/contract/skill-format';
import { isDesktopJunk } from '../zip/mend-records.ts';

/** A file or folder of what is packed, before it is read. */
export interface PackEntry {
  /** The name as its source has it, for people. */
  name: string;
  /** The mended path, without a slash at its end. */
  path: string;
  isDirectory: boolean;
  executable: boolean;
  /** Declared size of the content, in bytes. */
  size: number;
  /** Why it may not be in a package. */
  problem?: { reason: PackageReason; message: string } | undefined;
  /** Whether it is no part of the Skill. */
  isLeftOut: boolean;
  /** Reads the content. Throws `InvalidPackageError` if it is not as declared. */
  read(): Buffer;
}

/** Lists the entries of a folder or archive. Each call lists them anew, so that none is kept in memory. */
export type PackSource = () => Iterable<PackEntry>;

/** Whether a mended path is left out of every package (spec 70 §8.1). */
export function isJunk(path: string, isDirectory: boolean): boolean {
  return isDesktopJunk(isDirectory ? `${path}/` : path);
}
