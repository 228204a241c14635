import { setImmediate as loopTurn } from 'node:timers/promises';

/**
 * Coalesces concurrent reads with the same key. One of them runs at a time. Callers share the next one until it begins, so a result
 * is never older than its call. Stores no result.
 */
export class CoalescedReads<Result> {
  readonly #next = new Map<string, Promise<Result>>();
  readonly #running = new Map<string, Promise<void>>();

  /** Returns the result of `read`, or of an equal read that begins after this call. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const next = this.#next.get(key) ?? this.#runNext(key, read);
    this.#next.set(key, next);
    return next;
  }

  async #runNext(key: string, read: () => Promise<Result>): Promise<Result> {
    await this.#running.get(key);
    // Equal requests arrive together: in the first turn the answers of a read go out, in the second one its callers ask again.
    await loopTurn();
    await loopTurn();
    this.#next.delete(key);
    const result = read();
    this.#running.set(key, result.then(ignore, ignore));
    try {
      return await result;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** The callers of a read handle its error. */
function ignore(): void {}
