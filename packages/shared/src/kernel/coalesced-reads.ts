/** A read that runs, and the one that begins after it, if a caller waits for it. */
interface Reads<Result> {
  running: Promise<void>;
  next?: Promise<Result>;
}

/**
 * Coalesces concurrent reads with the same key. One of them runs at a time. Callers that arrive meanwhile share the next one,
 * which begins after their calls, so a result is never older than its call. Stores no result.
 */
export class CoalescedReads<Result> {
  readonly #reads = new Map<string, Reads<Result>>();

  /** Returns the result of `read`, or of an equal read that began after this call. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const reads = this.#reads.get(key);
    if (reads === undefined) return this.#start(key, read);
    reads.next ??= reads.running.then(() => this.#start(key, read));
    return reads.next;
  }

  #start(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    const reads: Reads<Result> = { running: result.then(ignore, ignore) };
    this.#reads.set(key, reads);
    void reads.running.then(() => {
      if (reads.next === undefined) this.#reads.delete(key);
    });
    return result;
  }
}

/** The callers of a read handle its error. */
function ignore(): void {}
