import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after the time, or as soon as `stop` aborts. */
export async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stop }).catch(() => undefined);
}
