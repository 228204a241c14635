/** What was written to a store between two ends: a part of an answer, in UTF-8. */
export interface Text {
  readonly store: TextStore;
  /** Its stretches in the store, by their places. */
  readonly first: number;
  readonly end: number;
  /** In bytes. */
  readonly length: number;
}

/** It grows by doubling, from what the part of one Scope takes. */
const firstBytes = 1_024;

const zero = 48;
const minus = 45;

/**
 * Writes texts into one block of memory, as bytes: thousands of strings that are put together from figures would keep the
 * garbage collector busy for longer than everything else takes. Bytes that come again and again are kept once.
 */
export class TextStore {
  #block = Buffer.allocUnsafe(firstBytes);
  #used = 0;
  /** From where to where, for one stretch after the other. */
  readonly #stretches: number[] = [];
  /** Where the stretch that is being written begins, and the text that it is in. */
  #stretch = 0;
  #text = 0;

  /** Bytes that it holds: where the next one goes. */
  get used(): number {
    return this.#used;
  }

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

  /** Bytes that the store holds already, again. */
  again(from: number, to: number): void {
    this.#endStretch();
    this.#stretches.push(from, to);
  }

  /** Ends a text: all that was written since the last one. */
  end(): Text {
    this.#endStretch();
    const [first, end] = [this.#text, this.#stretches.length];
    this.#text = end;
    let length = 0;
    for (let place = first; place < end; place += 2) length += this.#lengthAt(place);
    return { store: this, first, end, length };
  }

  /** Copies a text of this store to a place in `target`. */
  copy({ first, end }: Text, target: Buffer, at: number): void {
    const { buffer, byteOffset } = this.#block;
    let next = at;
    for (let place = first; place < end; place += 2) {
      const length = this.#lengthAt(place);
      // Most are short: a view and `set` take a third of the time of `Buffer.copy`.
      target.set(new Uint8Array(buffer, byteOffset + (this.#stretches[place] ?? 0), length), next);
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
    return (this.#stretches[place + 1] ?? 0) - (this.#stretches[place] ?? 0);
  }

  #endStretch(): void {
    if (this.#stretch < this.#used) this.#stretches.push(this.#stretch, this.#used);
    this.#stretch = this.#used;
  }

  #makeRoom(wanted: number): void {
    const needed = this.#used + wanted;
    if (needed <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#block.length * 2));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }
}
