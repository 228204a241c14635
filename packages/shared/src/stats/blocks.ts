import { WrittenBody } from '@continuity/shared/kernel';
import { copyTexts, type Text } from './text-store.ts';

/** Bytes that go out at once, or a little more. */
const blockBytes = 256 * 1024;

/** Texts, one after the other, in blocks. */
export class Blocks extends WrittenBody {
  readonly length: number;
  readonly lengths: readonly number[];
  readonly #blocks: Text[][] = [];

  constructor(texts: readonly Text[]) {
    super();
    const lengths: number[] = [];
    let last: Text[] = [];
    let lastLength = 0;
    for (const text of texts) {
      if (last.length === 0) this.#blocks.push(last);
      last.push(text);
      lastLength += text.length;
      if (lastLength < blockBytes) continue;
      lengths.push(lastLength);
      last = [];
      lastLength = 0;
    }
    if (lastLength > 0) lengths.push(lastLength);
    this.lengths = lengths;
    this.length = lengths.reduce((sum, length) => sum + length, 0);
  }

  write(block: number, memory: Buffer): void {
    copyTexts(this.#blocks[block] ?? [], memory);
  }
}
