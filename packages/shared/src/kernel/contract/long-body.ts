/** The JSON body of an answer that is put together block by block while it is sent, for any number of callers. */
export abstract class LongBody {
  /** In bytes. */
  abstract readonly length: number;
  /** Bytes of each block. */
  abstract readonly lengths: readonly number[];

  /** Puts a block together in `memory`, which has room for it. */
  abstract write(block: number, memory: Buffer): void;
}
