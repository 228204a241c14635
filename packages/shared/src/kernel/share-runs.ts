import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `work`, or shares a run of the same key that begins after the call. */
export type SharedRuns<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/** Runs of one key side by side: while one ends, those who came during it need not wait for that. */
const mostAtOnce = 2;

/**
 * Lets calls that would do the same do it once. What is asked in one turn of the event loop shares a run, and so does all that
 * comes while two are under way. Each gets the outcome of a run that began after it asked. A run that fails, fails all that
 * share it.
 */
export function shareRuns<T>(): SharedRuns<T> {
  const waiting = new Map<string, Promise<T>>();
  const running = new Map<string, Set<Promise<unknown>>>();

  async function begin(key: string, work: () => Promise<T>): Promise<T> {
    await nextTurn();
    const runs = running.get(key) ?? new Set();
    running.set(key, runs);
    while (runs.size >= mostAtOnce) await Promise.race(runs);
    waiting.delete(key);
    const run = work();
    const ended = run.then(
      () => undefined,
      () => undefined,
    );
    runs.add(ended);
    try {
      return await run;
    } finally {
      runs.delete(ended);
      if (runs.size === 0 && !waiting.has(key)) running.delete(key);
    }
  }

  return (key, work) => {
    const joined = waiting.get(key) ?? begin(key, work);
    waiting.set(key, joined);
    return joined;
  };
}
