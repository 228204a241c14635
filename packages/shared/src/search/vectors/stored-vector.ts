/*
 * A vector of unit length is stored as `real[]`. Without pgvector, it is stored with 8 bits a component too, which is what a search
 * reads (spec 26 S12): signed, and scaled so that the largest one is 127 or -127.
 */

/** Base64 characters of one component: with 8 bits, and of a `real[]`, whose binary form has 4 bytes of length and 4 of value for each. */
export const base64PerComponent = { quantized: 4 / 3, real: (8 * 4) / 3 };

/** Header of the binary form of a `real[]`: dimensions, flags, type, length, lower bound. */
const headerBytes = 20;

const largestComponent = 127;

/**
 * SQL for a vector of a row with `quantized` and `embedding` (`real[]`), in PostgreSQL's binary form, which is ten times as fast as
 * text; in base64, because the driver reads text.
 */
export function encodedVector(row: string): string {
  return `encode(coalesce(${row}.quantized, array_send(${row}.embedding)), 'base64')`;
}

/** As `encodedVector`, of the `real[]` alone. */
export function encodedReals(row: string): string {
  return `encode(array_send(${row}.embedding), 'base64')`;
}

/** The components of a vector with 8 bits each. */
export function quantize(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / largest) * largestComponent));
}

/** Components as PostgreSQL decodes them by `hex`. */
export function hexOf(quantized: Int8Array): string {
  return Buffer.from(quantized.buffer, quantized.byteOffset, quantized.byteLength).toString('hex');
}

/** The components of an encoded `real[]`. */
export function decodeReals(encoded: string): Float32Array {
  const bytes = Buffer.from(encoded, 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reals = new Float32Array((bytes.byteLength - headerBytes) / 8);
  for (let index = 0; index < reals.length; index += 1)
    reals[index] = view.getFloat32(headerBytes + 8 * index + 4);
  return reals;
}

/**
 * The largest cosine similarity of a vector of `encodedVector` to some unit vectors. With 8 bits a component it is off by less than
 * 0.005.
 */
export function bestSimilarity(encoded: string, queries: readonly Float32Array[]): number {
  const bytes = Buffer.from(encoded, 'base64');
  const isQuantized = bytes.byteLength === queries[0]?.length;
  if (!isQuantized) {
    const reals = decodeReals(encoded);
    return Math.max(...queries.map((query) => dotProduct(reals, query)));
  }
  const quantized = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Math.max(...queries.map((query) => quantizedCosine(quantized, query)));
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** The cosine to a unit vector. One loop for one type of array: a loop for both types takes three times as long. */
function quantizedCosine(quantized: Int8Array, query: Float32Array): number {
  let product = 0;
  let squares = 0;
  for (let index = 0; index < quantized.length; index += 1) {
    const component = quantized[index] ?? 0;
    product += component * (query[index] ?? 0);
    squares += component * component;
  }
  return product / Math.sqrt(squares);
}
