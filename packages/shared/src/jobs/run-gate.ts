/** Lets the runs of a process share it, or one of them have it alone. A run that was aborted counts for nothing. */
export class RunGate {
  #sharing = 0;
  /** Ends with the run that has the process alone, or waits for it. */
  #alone: Promise<void> | undefined;
  #onEmpty: () => void = () => undefined;

  /** Takes a share, as soon as no run has the process alone or waits for it. */
  async enter(): Promise<void> {
    while (this.#alone !== undefined) await this.#alone;
    this.#sharing += 1;
  }

  /** Gives a share up that no run has taken over. */
  leave(): void {
    this.#sharing -= 1;
    if (this.#sharing === 0) this.#onEmpty();
  }

  /** Takes the caller's share over, and gives it up at the end of `run` or at the abort. */
  async share(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const leave = once(() => this.leave());
    signal.addEventListener('abort', leave, { once: true });
    await run().finally(leave);
  }

  /** Gives the caller's share up, and calls `run` when all other runs have ended. None begins before its end or the abort. */
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
