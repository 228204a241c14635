import { readSync } from 'node:fs';

/** Bytes of an archive that need not be in memory as a whole. */
export interface ArchiveBytes {
  size: number;
  /** The bytes from `start` to the one before `end`; fewer where the archive ends. */
  read(start: number, end: number): Buffer;
}

/** An archive that is in memory. */
export function bytesOfBuffer(bytes: Uint8Array): ArchiveBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: buffer.length, read: (start, end) => buffer.subarray(start, end) };
}

/** An archive in an open file. */
export function bytesOfFile(descriptor: number, size: number): ArchiveBytes {
  return {
    size,
    read: (start, end) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = readSync(descriptor, buffer, length, buffer.length - length, start + length);
      }
      return buffer.subarray(0, length);
    },
  };
}
