import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `work`, or shares a run of the same key that begins after the call. */
export type SharedRuns<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/** Calls of a run that has not begun. */
interface Waiting<T> {
  callers: number;
  outcome: Promise<T>;
}

/** A run that has begun. */
interface Run {
  callers: number;
  /** When the next run of its key may begin. */
  over: Promise<void>;
  /** Says that as many wait for the next run as shared this one. */
  tellAllBack: () => void;
}

/** Turns of the event loop in which a run lets others join at most, so that no stream of them keeps it from its beginning. */
const mostTurns = 16;

/** How long a run that was shared is waited for those who shared it, as a part of the time that it took. */
const waitPart = 0.5;

/**
 * Lets calls that would do the same do it once. A run begins when the one before it is over, and whoever asked until then shares
 * it. Those who shared a run tend to come again together, so the next one waits a little until they have. Each call gets the
 * outcome of a run that began after it. A run that fails, fails all that share it.
 */
export function shareRuns<T>(): SharedRuns<T> {
  const waiting = new Map<string, Waiting<T>>();
  const runs = new Map<string, Run>();

  /** Until a turn of the event loop has brought nobody else. */
  async function gather(key: string): Promise<void> {
    let known = 1;
    for (let turn = 0; turn < mostTurns; turn += 1) {
      await nextTurn();
      const callers = waiting.get(key)?.callers ?? known;
      if (callers === known) return;
      known = callers;
    }
  }

  async function begin(key: string, work: () => Promise<T>): Promise<T> {
    await runs.get(key)?.over;
    await gather(key);
    const callers = waiting.get(key)?.callers ?? 1;
    waiting.delete(key);
    const begun = performance.now();
    const outcome = work();
    const allBack = Promise.withResolvers<void>();
    const end = async () => {
      if (callers > 1) {
        const timer = setTimeout(allBack.resolve, (performance.now() - begun) * waitPart);
        await allBack.promise;
        clearTimeout(timer);
      }
      runs.delete(key);
    };
    runs.set(key, { callers, over: outcome.then(end, end), tellAllBack: allBack.resolve });
    return outcome;
  }

  return (key, work) => {
    const joined = waiting.get(key) ?? { callers: 0, outcome: begin(key, work) };
    joined.callers += 1;
    waiting.set(key, joined);
    const run = runs.get(key);
    if (run !== undefined && joined.callers >= run.callers) run.tellAllBack();
    return joined.outcome;
  };
}
