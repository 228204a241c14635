export interface Repetition {
  /** Ends the repetition and resolves after the running round. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically, first after one interval. Rounds never overlap: the interval starts when a round ends. `onError` gets
 * the error of a failed round, and the repetition continues.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  let isStopped = false;
  let round = Promise.resolve();
  const next = () => {
    round = work()
      .catch(onError)
      .then(() => {
        if (!isStopped) timer = setTimeout(next, intervalMs);
      });
  };
  let timer = setTimeout(next, intervalMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
