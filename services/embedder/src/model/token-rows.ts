import { closeSync, openSync, readSync } from 'node:fs';

/** Values of a row. */
export const width = 384;

/** Values that share a scale, and the bytes of such a block. */
const blockValues = 32;
const blockBytes = 18;
const rowBytes = (width / blockValues) * blockBytes;

/** Tokens of the first file. */
const firstTokens = 125_019;

/**
 * The embedding rows of tokens, with values of 4 bits in two files (`make-model.py` describes them). Rows are read by position: the
 * files have 54 MB, and the operating system caches what is used.
 */
export class TokenRows {
  readonly #files: readonly number[];
  readonly #bytes = new Uint8Array(rowBytes);
  readonly #row = new DataView(this.#bytes.buffer);

  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => openSync(path, 'r'));
  }

  /** Writes the row of a token to `target` from `at` on. */
  read(token: number, target: Float32Array, at: number): void {
    const [file, place] = token < firstTokens ? [0, token] : [1, token - firstTokens];
    const bytes = readSync(this.#files[file] as number, this.#bytes, 0, rowBytes, place * rowBytes);
    if (bytes !== rowBytes) throw new Error(`The row of token ${token} is cut.`);
    for (let block = 0; block < width / blockValues; block += 1)
      this.#readBlock(block * blockBytes, target, at + block * blockValues);
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }

  /** The low halves of the bytes are the first values, the high halves the others. */
  #readBlock(from: number, target: Float32Array, at: number): void {
    const scale = this.#row.getFloat16(from, true);
    const half = blockValues / 2;
    for (let index = 0; index < half; index += 1) {
      const byte = this.#row.getUint8(from + 2 + index);
      target[at + index] = ((byte & 15) - 8) * scale;
      target[at + half + index] = ((byte >> 4) - 8) * scale;
    }
  }
}
