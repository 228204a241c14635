import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByScope } from './by-scope.ts';
import { PieceBlock } from './piece-block.ts';
import type { Text } from './text-store.ts';
import { type Frame, requireFitting } from './write-answer.ts';

/** Bytes of a block, or a little more. A Scope that has changed costs a copy of its block. */
const blockBytes = 128 * 1024;

/** Where the pieces of a Scope are. */
interface Place {
  block: number;
  /** What stands before its parts, which follow. */
  piece: number;
}

/** What is told of each Scope, up to the end of the answer, in blocks that hold whole Scopes. Never changes itself. */
export class ScopeBlocks {
  readonly #places: ReadonlyMap<number, Place>;
  /** What the first blocks were made in. */
  readonly #memory: Buffer;
  readonly #blocks: readonly PieceBlock[];

  private constructor(places: ReadonlyMap<number, Place>, memory: Buffer, blocks: readonly PieceBlock[]) {
    this.#places = places;
    this.#memory = memory;
    this.#blocks = blocks;
  }

  /** Throws 422 for too many bytes, before a block of them is made. */
  static async of({ before, closing }: Frame, parts: readonly ByScope[]): Promise<ScopeBlocks> {
    const places = new Map<number, Place>();
    const blocks: { pieces: Text[]; length: number }[] = [];
    let block = { pieces: [] as Text[], length: blockBytes };
    for (const { scopeKey, text } of before) {
      if (block.length >= blockBytes) {
        block = { pieces: [], length: 0 };
        blocks.push(block);
      }
      places.set(scopeKey, { block: blocks.length - 1, piece: block.pieces.length });
      const ofScope = [text, ...parts.map(({ of }) => of(scopeKey))];
      block.pieces.push(...ofScope);
      for (const { length } of ofScope) block.length += length;
    }
    block.pieces.push(closing);
    block.length += closing.length;
    const length = blocks.reduce((sum, one) => sum + one.length, 0);
    requireFitting(length);
    const memory = Buffer.allocUnsafeSlow(length);
    const made: PieceBlock[] = [];
    let from = 0;
    for (const one of blocks) {
      made.push(PieceBlock.of(one.pieces, memory.subarray(from, from + one.length)));
      from += one.length;
      await nextTurn();
    }
    return new ScopeBlocks(places, memory, made);
  }

  /** All of it. What lies together in memory is one: whatever is sent by itself costs a wait of its own. */
  get blocks(): Buffer[] {
    const runs: Buffer[] = [];
    for (const { bytes } of this.#blocks) {
      const last = runs.at(-1);
      if (last?.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset) {
        runs[runs.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length);
      } else runs.push(bytes);
    }
    return runs;
  }

  /** How much memory it takes, that of the blocks that were replaced included. */
  get bytes(): number {
    const later = this.#blocks.filter(({ bytes }) => bytes.buffer !== this.#memory.buffer);
    return later.reduce((sum, { bytes }) => sum + bytes.length, this.#memory.length);
  }

  /** With other texts of some Scopes, for each part in its order. Scopes that are not told are passed over. */
  with(changes: readonly ReadonlyMap<number, Text>[]): ScopeBlocks {
    const piecesOf = this.#blocks.map(() => new Map<number, Text>());
    for (const [part, texts] of changes.entries()) {
      for (const [scopeKey, text] of texts) {
        const place = this.#places.get(scopeKey);
        if (place !== undefined) piecesOf[place.block]?.set(place.piece + 1 + part, text);
      }
    }
    const blocks = this.#blocks.map((block, number) => block.with(piecesOf[number] ?? new Map()));
    return new ScopeBlocks(this.#places, this.#memory, blocks);
  }
}
