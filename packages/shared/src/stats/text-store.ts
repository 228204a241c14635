/** What was written to a store between two ends: a part of an answer, in UTF-8. */
export interface Text {
  readonly store: TextStore;
  /** The places of its stretches in the store. */
  readonly first: number;
  readonly end: number;
  /** In bytes. */
  readonly length: number;
}

/** Its first block has room for the part of one Scope; each further one is twice as large, up to the last size. */
const firstBytes = 1_024;
const mostBytes = 128 * 1_024;

const zero = 48;
const minus = 45;

/**
 * Writes texts into a few blocks of memory, as bytes: thousands of strings that are put together from figures would keep the
 * garbage collector busy for longer than everything else takes. Bytes that come again and again are not copied.
 */
export class TextStore {
  #block = Buffer.allocUnsafe(firstBytes);
  #used = 0;
  /** One stretch after the other: the memory that it is in, and from where to where. */
  readonly #memory: Buffer[] = [];
  readonly #bounds: number[] = [];
  /** Where the stretch that is being written begins, and the text that it is in. */
  #stretch = 0;
  #text = 0;

  text(text: string): void {
    // A UTF-16 unit is three bytes at most.
    this.#makeRoom(text.length * 3);
    this.#used += this.#block.write(text, this.#used);
  }

  bytes(bytes: Buffer): void {
    this.#makeRoom(bytes.length);
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** An integer, or `null`, as JSON. */
  number(value: number | null): void {
    // Digits of what takes more than 32 bits are not worth a loop of their own.
    if (value !== null && value === (value | 0)) this.#digits(value);
    else this.text(String(value));
  }

  /** Bytes that stay as they are, taken from where they are. */
  kept(bytes: Buffer, from: number, to: number): void {
    this.#endStretch();
    this.#addStretch(bytes, from, to);
  }

  /** Ends a text: all that was written since the last one. */
  end(): Text {
    this.#endStretch();
    const [first, end] = [this.#text, this.#memory.length];
    this.#text = end;
    let length = 0;
    for (let place = first; place < end; place += 1) length += this.#lengthAt(place);
    return { store: this, first, end, length };
  }

  /** Copies a text of this store to a place in `target`. */
  copy({ first, end }: Text, target: Buffer, at: number): void {
    let next = at;
    for (let place = first; place < end; place += 1) {
      const memory = this.#memory[place];
      if (memory === undefined) throw new Error('The text is not of this store.');
      const length = this.#lengthAt(place);
      const from = memory.byteOffset + (this.#bounds[place * 2] ?? 0);
      // Most are short: a view and `set` take a third of the time of `Buffer.copy`.
      target.set(new Uint8Array(memory.buffer, from, length), next);
      next += length;
    }
  }

  #digits(value: number): void {
    this.#makeRoom(11);
    const block = this.#block;
    if (value < 0) block[this.#used++] = minus;
    let rest = Math.abs(value);
    let digits = 1;
    for (let power = 10; power <= rest; power *= 10) digits += 1;
    this.#used += digits;
    for (let place = this.#used - 1; digits > 0; digits -= 1, place -= 1) {
      block[place] = zero + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  #lengthAt(place: number): number {
    return (this.#bounds[place * 2 + 1] ?? 0) - (this.#bounds[place * 2] ?? 0);
  }

  #endStretch(): void {
    if (this.#stretch < this.#used) this.#addStretch(this.#block, this.#stretch, this.#used);
    this.#stretch = this.#used;
  }

  #addStretch(memory: Buffer, from: number, to: number): void {
    this.#memory.push(memory);
    this.#bounds.push(from, to);
  }

  #makeRoom(wanted: number): void {
    if (this.#used + wanted <= this.#block.length) return;
    this.#endStretch();
    this.#block = Buffer.allocUnsafe(Math.max(wanted, Math.min(this.#block.length * 2, mostBytes)));
    this.#used = 0;
    this.#stretch = 0;
  }
}

/** Texts, one after the other, in memory of their own. */
export function bytesOfTexts(texts: readonly Text[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + length, 0));
  copyTexts(texts, bytes);
  return bytes;
}

/** Copies texts, one after the other, to the beginning of `target`. */
export function copyTexts(texts: readonly Text[], target: Buffer): void {
  let at = 0;
  for (const text of texts) {
    text.store.copy(text, target, at);
    at += text.length;
  }
}
