import { isUtf8 } from 'node:buffer';
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
export function inCanonicalOrder<File extends { path: string }>(files: readonly File[]): File[] {
  return files.toSorted((left, right) => compareBytes(left.path, right.path));
}

/** Compares by the bytes of UTF-8; `<` compares by UTF-16 units. */
export function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Describes a file for the list of its package. */
export function listFile({ path, executable, bytes }: PackageFile): ListedFile {
  return { path, digest: sha256(bytes).toString('hex'), size: bytes.length, executable };
}

/** Returns the SHA-256 digest. */
export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The text of a file; null if it is not UTF-8, or holds a NUL as binary files do. */
export function textOf(bytes: Buffer): string | null {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : null;
}

/** Canonical JSON of a file list. */
export function writeFileList(list: readonly ListedFile[]): string {
  // The keys are in canonical order, and JSON.stringify writes strings as RFC 8785 does.
  return JSON.stringify(
    list.map(({ digest, executable, path, size }) => ({ digest, executable, path, size })),
  );
}

/** Media types of files by lower-cased suffix (spec 40 §5.6). Part of the contract: entries are added, and never changed. */
const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  xml: 'text/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

const defaultType = 'application/octet-stream';

const suffix = /\.([^./]+)$/;

/** The media type of a file by the suffix of its path. */
export function mediaTypeOf(path: string): string {
  const key = suffix.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mediaTypes, key) ? (mediaTypes[key] ?? defaultType) : defaultType;
}
