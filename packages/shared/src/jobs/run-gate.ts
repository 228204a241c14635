/**
 * A reader-writer lock of one process: runs share the process, and a suspect run excludes all others. An aborted run releases its
 * lock at once.
 */
export class RunGate {
  #sharing = 0;
  /** Resolves when the exclusive run has ended. Set while one runs or waits to run. */
  #alone: Promise<void> | undefined;
  #onEmpty: () => void = () => undefined;

  /** Acquires the shared lock. Waits while an exclusive run runs or waits. */
  async enter(): Promise<void> {
    while (this.#alone !== undefined) await this.#alone;
    this.#sharing += 1;
  }

  /** Releases a shared lock that `share` or `runAlone` will not release. */
  leave(): void {
    this.#sharing -= 1;
    if (this.#sharing === 0) this.#onEmpty();
  }

  /** Runs with the shared lock of the caller, and releases it when `run` ends or `signal` aborts. */
  async share(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const leave = once(() => this.leave());
    signal.addEventListener('abort', leave, { once: true });
    await run().finally(leave);
  }

  /** Turns the shared lock of the caller into the exclusive one: waits for all other runs, then runs. Released like that of `share`. */
  async runAlone(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
    this.leave();
    while (this.#alone !== undefined) await this.#alone;
    const ended = Promise.withResolvers<void>();
    this.#alone = ended.promise;
    const end = once(() => {
      this.#alone = undefined;
      ended.resolve();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    if (this.#sharing > 0) await Promise.race([this.#whenEmpty(), ended.promise]);
    await run().finally(end);
  }

  #whenEmpty(): Promise<void> {
    return new Promise((empty) => {
      this.#onEmpty = empty;
    });
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
