import { setImmediate as loopTurn } from 'node:timers/promises';

/** Limit of the turns of the event loop that a read waits for further callers. */
const maxTurns = 10;

/** A read that has not begun. */
interface NextRead<Result> {
  callers: number;
  result: Promise<Result>;
}

/**
 * Coalesces concurrent reads with the same key. One read per key runs at a time. Callers share the next one until it begins, so a
 * result is never older than its call. Equal requests come in bursts, so a read begins after a turn of the event loop that brings no
 * further caller. Stores no result.
 */
export class CoalescedReads<Result> {
  readonly #next = new Map<string, NextRead<Result>>();
  readonly #running = new Map<string, Promise<void>>();

  /** Returns the result of `read`, or of an equal read that begins after this call. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const next = this.#next.get(key) ?? { callers: 0, result: this.#run(key, read) };
    this.#next.set(key, next);
    next.callers += 1;
    return next.result;
  }

  async #run(key: string, read: () => Promise<Result>): Promise<Result> {
    await this.#running.get(key);
    await this.#gatherCallers(key);
    this.#next.delete(key);
    const result = read();
    this.#running.set(key, result.then(ignore, ignore));
    try {
      return await result;
    } finally {
      this.#running.delete(key);
    }
  }

  async #gatherCallers(key: string): Promise<void> {
    // The callers of the previous read get their answers in the first turn, and may ask again in the next ones.
    await loopTurn();
    let callers = 0;
    for (let turn = 1; turn < maxTurns && callers !== this.#callersOf(key); turn += 1) {
      callers = this.#callersOf(key);
      await loopTurn();
    }
  }

  #callersOf(key: string): number {
    return this.#next.get(key)?.callers ?? 0;
  }
}

/** The callers of a read handle its error. */
function ignore(): void {}
