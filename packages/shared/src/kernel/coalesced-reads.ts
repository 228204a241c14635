/**
 * Limit of the reads with one key that run at a time. With one, a caller waits for the end of a read that began before its call,
 * and then for its own.
 */
const maxRunning = 2;

/** Reads with one key. */
interface Reads<Result> {
  running: Set<Promise<void>>;
  /** Begins when a running read ends, if a caller waits for it. */
  next: Promise<Result> | undefined;
}

/**
 * Coalesces concurrent reads with the same key. At most two of them run at a time. Callers that arrive meanwhile share the next
 * one, which begins after their calls, so a result is never older than its call. Stores no result.
 */
export class CoalescedReads<Result> {
  readonly #reads = new Map<string, Reads<Result>>();

  /** Returns the result of `read`, or of an equal read that began after this call. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const reads = this.#reads.get(key) ?? { running: new Set(), next: undefined };
    this.#reads.set(key, reads);
    if (reads.next === undefined && reads.running.size < maxRunning) return this.#start(key, reads, read);
    reads.next ??= Promise.race(reads.running).then(() => {
      reads.next = undefined;
      return this.#start(key, reads, read);
    });
    return reads.next;
  }

  #start(key: string, reads: Reads<Result>, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    const ended = result.then(ignore, ignore).then(() => {
      reads.running.delete(ended);
      if (reads.running.size === 0 && reads.next === undefined) this.#reads.delete(key);
    });
    reads.running.add(ended);
    return result;
  }
}

/** The callers of a read handle its error. */
function ignore(): void {}
