import { createHash } from 'node:crypto';
import type { ListedFile } from './files.ts';

/** Returns the mode of a file in the canonical form (spec 40 §5.4). */
export function modeOf({ executable }: { executable: boolean }): number {
  return executable ? 0o755 : 0o644;
}

/** Returns the SHA-256 digest, in hex, of a tree of files in canonical order (spec 40 §5.4). */
export function treeDigest(files: readonly ListedFile[]): string {
  const hash = createHash('sha256').update('service.skill-package-tree.v1\0', 'latin1');
  for (const file of files) {
    const path = Buffer.from(file.path);
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(file.size));
    hash
      .update(uint32(path.length))
      .update(path)
      .update(uint32(modeOf(file)))
      .update(size);
    hash.update(Buffer.from(file.digest, 'hex'));
  }
  return hash.digest('hex');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
