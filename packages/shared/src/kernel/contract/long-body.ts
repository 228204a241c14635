/** Bytes that a block which is put together has at least, but for the last: so many make a stream and a socket wait until they are gone. */
export const leastBlockBytes = 64 * 1024;

/** The JSON body of a long answer, for any number of callers. */
export type LongBody = ReadyBody | WrittenBody;

/** A body that is put together block by block while it is sent. */
export abstract class WrittenBody {
  /** In bytes. */
  abstract readonly length: number;
  /** Bytes of each block: `leastBlockBytes` or more, but for the last. */
  abstract readonly lengths: readonly number[];

  /** Puts a block together in `memory`, which has room for it. */
  abstract write(block: number, memory: Buffer): void;
}

/** A body whose blocks are there already, of any size. Nobody writes to them any more, so that they are sent as they are. */
export class ReadyBody {
  readonly blocks: readonly Buffer[];
  /** In bytes. */
  readonly length: number;

  constructor(blocks: readonly Buffer[]) {
    this.blocks = blocks;
    this.length = blocks.reduce((sum, { length }) => sum + length, 0);
  }
}

export function isLongBody(body: unknown): body is LongBody {
  return body instanceof ReadyBody || body instanceof WrittenBody;
}
