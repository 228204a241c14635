import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file without a name: it is gone when the process ends, however it ends. */
export interface Spool {
  /** Writes a stream, and passes it on. */
  write(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  read(start: number, end: number): Promise<Buffer>;
}

/** Handles of this process, so that none is closed before its end. */
const handles: FileHandle[] = [];

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-'));
  const file = await open(join(folder, 'spool'), 'w+', 0o600);
  // Where a system cannot remove an open file, it stays until the end of the process.
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  handles.push(file);
  return {
    write: async function* (stream) {
      for await (const chunk of stream) {
        await file.writeFile(chunk);
        yield chunk;
      }
    },
    read: async (start, end) => {
      const bytes = Buffer.alloc(end - start);
      let length = 0;
      // One call may read less than it is asked for.
      while (length < bytes.length) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
        if (bytesRead === 0) throw new Error('The temporary file ends too early.');
        length += bytesRead;
      }
      return bytes;
    },
  };
}

/** Closes the temporary files of this process. */
export async function closeSpools(): Promise<void> {
  await Promise.all(handles.splice(0).map((file) => file.close()));
}
