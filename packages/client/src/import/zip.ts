import { promisify } from 'node:util';
import * as yauzl from 'yauzl';

/** Limits of a ZIP: bytes of an entry, and how many times larger it may be than it is in the archive (spec 70 scenario 13). */
const maxEntryBytes = 16 * 1024 * 1024 * 1024;
const maxRatio = 1_000;

/** A file of a ZIP. */
export interface ZipEntry {
  name: string;
  bytes: number;
  /** The file as a stream. Throws `UnreadableArchive` for one that breaks a limit. */
  open(): Promise<AsyncIterable<Buffer>>;
}

/** A ZIP that cannot be read, or must not be. The message says why. */
export class UnreadableArchive extends Error {
  override readonly name = 'UnreadableArchive';
}

const openZip = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open);

/** An open ZIP. Its entries can be read until it is closed. */
export interface OpenZip {
  entries: ZipEntry[];
  close(): void;
}

/** Opens a ZIP. Throws `UnreadableArchive`. */
export async function openArchive(path: string): Promise<OpenZip> {
  try {
    const zip = await openZip(path, { lazyEntries: true, autoClose: false });
    return { entries: await listEntries(zip), close: () => zip.close() };
  } catch (error) {
    throw new UnreadableArchive(`${path} is no ZIP that can be read: ${(error as Error).message}.`);
  }
}

async function listEntries(zip: yauzl.ZipFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith('/')) entries.push(toEntry(zip, entry));
      zip.readEntry();
    });
    zip.readEntry();
  });
  return entries;
}

function toEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): ZipEntry {
  const { fileName: name, uncompressedSize: bytes, compressedSize } = entry;
  return {
    name,
    bytes,
    open: async () => {
      if (bytes > maxEntryBytes || bytes > maxRatio * Math.max(compressedSize, 1_024)) {
        throw new UnreadableArchive(`${name} is ${bytes} bytes in ${compressedSize}, which no export is.`);
      }
      return promisify<yauzl.Entry, AsyncIterable<Buffer>>(zip.openReadStream.bind(zip) as never)(entry);
    },
  };
}
