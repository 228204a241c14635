import { bytesOfTexts, type Text } from './text-store.ts';

/** Bytes of an answer that are kept: pieces, one after the other. None of them ever changes, so that they can be sent at any time. */
export class PieceBlock {
  readonly bytes: Buffer;
  /** Where each piece begins, and the last one ends. */
  readonly #bounds: Uint32Array;

  private constructor(bytes: Buffer, bounds: Uint32Array) {
    this.bytes = bytes;
    this.#bounds = bounds;
  }

  static of(pieces: readonly Text[]): PieceBlock {
    const bounds = new Uint32Array(pieces.length + 1);
    for (const [place, { length }] of pieces.entries()) bounds[place + 1] = (bounds[place] ?? 0) + length;
    return new PieceBlock(bytesOfTexts(pieces), bounds);
  }

  /** With other pieces in some places. */
  with(pieces: ReadonlyMap<number, Text>): PieceBlock {
    if (pieces.size === 0) return this;
    const before = this.#bounds;
    const bounds = new Uint32Array(before.length);
    for (let place = 0; place + 1 < bounds.length; place += 1) {
      const length = pieces.get(place)?.length ?? (before[place + 1] ?? 0) - (before[place] ?? 0);
      bounds[place + 1] = (bounds[place] ?? 0) + length;
    }
    const bytes = Buffer.allocUnsafeSlow(bounds.at(-1) ?? 0);
    let copied = 0;
    const copyUntil = (place: number) => {
      bytes.set(this.bytes.subarray(before[copied], before[place]), bounds[copied]);
    };
    for (const place of [...pieces.keys()].sort((left, right) => left - right)) {
      copyUntil(place);
      const text = pieces.get(place);
      text?.store.copy(text, bytes, bounds[place] ?? 0);
      copied = place + 1;
    }
    copyUntil(bounds.length - 1);
    return new PieceBlock(bytes, bounds);
  }
}
