import { open, stat } from 'node:fs/promises';

/** A file with sessions. */
export interface SessionFile {
  path: string;
  bytes: number;
  /** When it was last written, in milliseconds. */
  modified: number;
}

export async function sessionFile(path: string): Promise<SessionFile> {
  const { size, mtimeMs } = await stat(path);
  return { path, bytes: size, modified: Math.trunc(mtimeMs) };
}

/** Bytes that tell what a file is. */
const headBytes = 256 * 1024;
/** Bytes that usually do. */
const shortHeadBytes = 16 * 1024;

/** The beginning of a file. */
export async function readHead(path: string, bytes = headBytes): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The first records of a file of JSON Lines: those that lie wholly in its beginning. */
export async function headOf(path: string): Promise<unknown[]> {
  const short = recordsOf(await readHead(path, shortHeadBytes));
  return short.length > 0 ? short : recordsOf(await readHead(path));
}

function recordsOf(head: Buffer): unknown[] {
  const lines = head.toString('utf8').split('\n').slice(0, 50);
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
