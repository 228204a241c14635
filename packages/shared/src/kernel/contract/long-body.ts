/** Bytes that a block which is put together has at least, but for the last: so many make a stream and a socket wait until they are gone. */
export const leastBlockBytes = 64 * 1024;

/** The JSON body of an answer that is put together block by block while it is sent, for any number of callers. */
export abstract class LongBody {
  /** In bytes. */
  abstract readonly length: number;
  /** Bytes of each block: `leastBlockBytes` or more, but for the last, where they are still to be put together. */
  abstract readonly lengths: readonly number[];

  /** Puts a block together in `memory`, which has room for it. */
  abstract write(block: number, memory: Buffer): void;
}

/** A body whose blocks are there already, of any size. Nobody writes to them any more, so that they are sent as they are. */
export class ReadyBody extends LongBody {
  readonly blocks: readonly Buffer[];
  readonly length: number;

  constructor(blocks: readonly Buffer[]) {
    super();
    this.blocks = blocks;
    this.length = blocks.reduce((sum, { length }) => sum + length, 0);
  }

  get lengths(): number[] {
    return this.blocks.map(({ length }) => length);
  }

  write(block: number, memory: Buffer): void {
    this.blocks[block]?.copy(memory);
  }
}
