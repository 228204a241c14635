import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The model that made the committed vectors, and the dimension of its vectors. */
export const vectorModel = 'all-MiniLM-L6-v2';
export const vectorDimension = 384;

const file = new URL('./data/vectors.bin', import.meta.url);
const hashBytes = 16;
const recordBytes = hashBytes + vectorDimension;

/** Vectors by text. */
export interface VectorTable {
  /** Returns undefined for a text without a vector. */
  find(text: string): number[] | undefined;
}

/**
 * Reads `data/vectors.bin`, which `bench/scripts/make-vectors.py` writes. The file is a sequence of records of 400 bytes, one
 * for each distinct text, in ascending order of their bytes:
 *
 * - 16 bytes: the start of the SHA-256 of the text in UTF-8;
 * - 384 bytes: the vector as signed 8-bit integers, scaled so that its largest component is 127 or -127.
 *
 * The vectors are not of unit length. The service normalizes every vector that it receives.
 */
export function loadVectors(): VectorTable {
  const bytes = readFileSync(file);
  const records = new Map<string, Int8Array>();
  for (let start = 0; start < bytes.length; start += recordBytes) {
    const key = bytes.toString('hex', start, start + hashBytes);
    records.set(key, new Int8Array(bytes.subarray(start + hashBytes, start + recordBytes)));
  }
  return {
    find: (text) => {
      const vector = records.get(keyOf(text));
      return vector === undefined ? undefined : Array.from(vector);
    },
  };
}

function keyOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest().toString('hex', 0, hashBytes);
}

/** @throws {Error} that names the first text without a vector and says how to make the vectors. */
export function requireVectors(vectors: VectorTable, texts: readonly string[]): void {
  const missing = texts.filter((text) => vectors.find(text) === undefined);
  if (missing.length === 0) return;
  throw new Error(
    `${missing.length} of ${texts.length} texts of the search set have no vector, for example "${missing[0]}". ` +
      'Run bench/scripts/make-vectors.py as its first lines say.',
  );
}
