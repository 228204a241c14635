export interface Repetition {
  /** Resolves when no round runs and none will. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `intervalMs`, first after one interval. Rounds never overlap: the interval counts from the end of the
 * last one. What a round throws goes to `onError`, and the next round comes all the same.
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
