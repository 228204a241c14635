import { setImmediate as loopTurn } from 'node:timers/promises';

/** The read that runs, and the one that begins after it or in the next turn of the event loop. */
interface Reads<Result> {
  running: Promise<void>;
  next: Promise<Result> | undefined;
}

/**
 * Coalesces concurrent reads with the same key. One of them runs at a time. Callers that arrive before it begins share it; later ones
 * share the next one. So a result is never older than its call. Stores no result.
 */
export class CoalescedReads<Result> {
  readonly #reads = new Map<string, Reads<Result>>();

  /** Returns the result of `read`, or of an equal read that began after this call. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const reads = this.#reads.get(key) ?? { running: Promise.resolve(), next: undefined };
    this.#reads.set(key, reads);
    reads.next ??= this.#readNext(key, reads, read);
    return reads.next;
  }

  async #readNext(key: string, reads: Reads<Result>, read: () => Promise<Result>): Promise<Result> {
    await reads.running;
    // Callers are often answered together and so ask again together.
    await loopTurn();
    reads.next = undefined;
    const result = read();
    reads.running = result.then(ignore, ignore);
    void reads.running.then(() => {
      if (reads.next === undefined) this.#reads.delete(key);
    });
    return await result;
  }
}

/** The callers of a read handle its error. */
function ignore(): void {}
