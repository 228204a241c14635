import { lstatSync } from 'node:fs';
import { inCanonicalOrder, type PackageFile, treeDigest } from '@continuity/skill-packages';
import { changed, isUnchanged, readFoundFile } from './read-file.ts';
import { placeIn, walkPackage } from './walk.ts';

/** The content of a directory at one moment. */
interface ReadTree {
  /** As the `tree_digest` of a package (spec 40 §5.4), with paths as they are. 64 hex digits. */
  fingerprint: string;
  /** The files whose content was asked for. */
  kept: PackageFile[];
}

/**
 * Reads each file of a package once. `root` is its absolute path, without links. Throws `UnreadableSkill` if a file or directory changed
 * meanwhile, so that no mixture of two states gets a fingerprint. Throws errors of the file system, too.
 */
export function readTree(root: string, isKept: (path: string) => boolean): ReadTree {
  const { files, directories } = walkPackage(root);
  const read = files.map(({ path, stats }) => {
    const { digest, bytes } = readFoundFile(placeIn(root, path), stats, isKept(path));
    return { path, executable: (stats.mode & 0o111n) !== 0n, digest, size: Number(stats.size), bytes };
  });
  for (const { path, stats } of [...files, ...directories]) {
    if (!isUnchanged(lstatSync(placeIn(root, path), { bigint: true }), stats)) throw changed();
  }
  const kept = read.flatMap(({ path, executable, bytes }) => (bytes ? [{ path, executable, bytes }] : []));
  return { fingerprint: treeDigest(inCanonicalOrder(read)), kept };
}
