import { setTimeout as sleep } from 'node:timers/promises';

/** Source of the current time; tests replace it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The UTC date of a moment, `YYYY-MM-DD`. */
export function utcDate(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Resolves after the time, or as soon as `stop` aborts. */
export async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stop }).catch(() => undefined);
}

/** Thrown when work exceeds its time limit. The work itself continues, and its result is ignored. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/** Settles like `work`, or rejects with `TimeLimitError` after `milliseconds`. */
export async function withTimeLimit<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeLimitError(`No answer within ${milliseconds} ms.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
