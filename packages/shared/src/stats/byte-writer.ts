/**
 * Puts UTF-8 together in one block of memory. For megabytes that are mostly the same few pieces: copying bytes costs a tenth of
 * joining strings and encoding them.
 */
export class ByteWriter {
  #block: Buffer;
  #length = 0;

  /** @param expected bytes; more than that works, for a copy */
  constructor(expected: number) {
    this.#block = Buffer.allocUnsafe(expected);
  }

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    // A UTF-16 unit is three bytes at most.
    this.#makeRoom(text.length * 3);
    this.#length += this.#block.write(text, this.#length);
  }

  bytes(bytes: Buffer): void {
    this.#makeRoom(bytes.length);
    this.#length += bytes.copy(this.#block, this.#length);
  }

  /** What was written; nothing may be written after it. */
  end(): Buffer {
    return this.#block.subarray(0, this.#length);
  }

  #makeRoom(wanted: number): void {
    const needed = this.#length + wanted;
    if (needed <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#block.length * 2));
    this.#block.copy(larger, 0, 0, this.#length);
    this.#block = larger;
  }
}
