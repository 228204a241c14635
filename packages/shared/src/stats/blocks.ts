import { Readable } from 'node:stream';
import type { Text } from './text-store.ts';

/** Bytes that go out at once, or a little more. */
const blockBytes = 256 * 1024;

/**
 * An answer in blocks. Each is put together when the first reader comes to it: what is read goes out while the rest is still to
 * be made, and those who share an answer share its bytes, each at its own pace.
 */
export class Blocks {
  /** In bytes. */
  readonly length: number;
  readonly #blocks: (Text[] | Buffer)[] = [];

  constructor(texts: readonly Text[]) {
    let last: Text[] = [];
    let lastLength = blockBytes;
    let length = 0;
    for (const text of texts) {
      if (lastLength >= blockBytes) {
        last = [];
        lastLength = 0;
        this.#blocks.push(last);
      }
      last.push(text);
      lastLength += text.length;
      length += text.length;
    }
    this.length = length;
  }

  /** All of it, for one reader. A single block comes as it is: a stream would cost more than the block. */
  open(): Buffer | Readable {
    const only = this.#blocks.length === 1 ? this.#at(0) : null;
    if (only !== null) return only;
    let next = 0;
    const takeNext = () => {
      const block = this.#at(next);
      next += 1;
      return block;
    };
    return new Readable({
      read() {
        this.push(takeNext());
      },
    });
  }

  /** Null after the last. */
  #at(place: number): Buffer | null {
    const block = this.#blocks[place];
    if (block === undefined) return null;
    const bytes = Buffer.isBuffer(block) ? block : join(block);
    this.#blocks[place] = bytes;
    return bytes;
  }
}

function join(texts: readonly Text[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const text of texts) {
    text.store.copy(text, bytes, at);
    at += text.length;
  }
  return bytes;
}
