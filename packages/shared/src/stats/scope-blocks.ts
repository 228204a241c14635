import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByScope } from './by-scope.ts';
import { PieceBlock } from './piece-block.ts';
import type { Text } from './text-store.ts';
import { type Frame, requireFitting } from './write-answer.ts';

/** Bytes of a block, or a little more. A Scope that has changed costs a copy of its block. */
const blockBytes = 128 * 1024;

/** Blocks that are copied before others get a turn. */
const copiesPerTurn = 8;

/** Where the pieces of a Scope are. */
interface Place {
  block: number;
  /** What stands before its parts, which follow. */
  piece: number;
}

/** What is told of each Scope, up to the end of the answer, in blocks that hold whole Scopes. Never changes itself. */
export class ScopeBlocks {
  readonly #places: ReadonlyMap<number, Place>;
  readonly #blocks: readonly PieceBlock[];

  private constructor(places: ReadonlyMap<number, Place>, blocks: readonly PieceBlock[]) {
    this.#places = places;
    this.#blocks = blocks;
  }

  /** Throws 422 for too many bytes, before a block of them is made. */
  static async of({ before, closing }: Frame, parts: readonly ByScope[]): Promise<ScopeBlocks> {
    const places = new Map<number, Place>();
    let block = { pieces: [] as Text[], length: 0 };
    const blocks = [block];
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
    requireFitting(blocks.reduce((sum, { length }) => sum + length, 0));
    const made: PieceBlock[] = [];
    for (const { pieces } of blocks) {
      made.push(PieceBlock.of(pieces));
      await nextTurn();
    }
    return new ScopeBlocks(places, made);
  }

  /** All of it. */
  get blocks(): Buffer[] {
    return this.#blocks.map(({ bytes }) => bytes);
  }

  /** With other texts of some Scopes, for each part in its order. Scopes that are not told are passed over. */
  async with(changes: readonly ReadonlyMap<number, Text>[]): Promise<ScopeBlocks> {
    const piecesOf = new Map<number, Map<number, Text>>();
    for (const [part, texts] of changes.entries()) {
      for (const [scopeKey, text] of texts) {
        const place = this.#places.get(scopeKey);
        if (place === undefined) continue;
        const pieces = piecesOf.get(place.block) ?? new Map<number, Text>();
        piecesOf.set(place.block, pieces.set(place.piece + 1 + part, text));
      }
    }
    const blocks = [...this.#blocks];
    let copies = 0;
    for (const [number, pieces] of piecesOf) {
      if (copies > 0 && copies % copiesPerTurn === 0) await nextTurn();
      const block = blocks[number];
      if (block !== undefined) blocks[number] = block.with(pieces);
      copies += 1;
    }
    return new ScopeBlocks(this.#places, blocks);
  }
}
