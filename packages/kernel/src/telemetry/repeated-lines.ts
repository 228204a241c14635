import { AsyncLocalStorage } from 'node:async_hooks';

/** Shortest time between two lines of one failure, in milliseconds. */
const defaultIntervalMs = 1_000;

/** What has been logged of one message. An entry lasts until an interval has passed without a line. */
interface Repeated {
  /** The latest line that was held back. */
  held: { fields: object; write: (fields: object) => void } | undefined;
  /** Number of lines that were held back. */
  count: number;
}

/**
 * Limits the lines of failures that repeat, by their message. The first one is written at once. Those of the next interval become one
 * line, with the fields of the latest and their number as `count`.
 */
export class RepeatedLines {
  readonly #intervalMs: number;
  readonly #messages = new Map<string, Repeated>();
  /** A late line belongs to no request, so the timers do not run in the context of one. */
  readonly #outsideRequests = AsyncLocalStorage.snapshot();

  constructor(intervalMs = defaultIntervalMs) {
    this.#intervalMs = intervalMs;
  }

  /** Calls `write` with the fields of a line: now, later with a count, or never if a newer line of the message comes before. */
  limit(message: string, fields: object, write: (fields: object) => void): void {
    const known = this.#messages.get(message);
    if (known === undefined) {
      write(fields);
      this.#hold(message);
      return;
    }
    known.held = { fields, write };
    known.count += 1;
  }

  #hold(message: string): void {
    const repeated: Repeated = { held: undefined, count: 0 };
    this.#messages.set(message, repeated);
    const end = () => {
      this.#messages.delete(message);
      if (repeated.held === undefined) return;
      repeated.held.write({ ...repeated.held.fields, count: repeated.count });
      this.#hold(message);
    };
    // A process that ends does not wait for the count.
    this.#outsideRequests(() => setTimeout(end, this.#intervalMs).unref());
  }
}
