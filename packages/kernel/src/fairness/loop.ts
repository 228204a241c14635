import { setImmediate as loopTurn } from 'node:timers/promises';

/** A tenant begins no further work in a turn of the event loop after this time, in milliseconds. */
export const turnBudgetMs = 1;

/** When each tenant began work in the current turn of the event loop. */
const begunAt = new Map<number, number>();

/**
 * Whether a tenant can begin work in the current turn of the event loop. True counts as a start. After false, ask again in the next
 * turn (`setImmediate`): the loop runs the work of other tenants first.
 */
export function canBeginInTurn(tenant: number): boolean {
  const begun = begunAt.get(tenant);
  if (begun !== undefined) return performance.now() - begun < turnBudgetMs;
  if (begunAt.size === 0) setImmediate(() => begunAt.clear());
  begunAt.set(tenant, performance.now());
  return true;
}

/** Longest work without a turn of the event loop, in ms. */
const sliceMs = 10;

/** Work that can pause at each `yield`. Steps between two of them take well under 10 ms. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs work without a pause: for short work, or in a thread of its own. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs work, and lets the event loop turn after each 10 ms, so that long work does not block other requests and jobs. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - start < sliceMs) continue;
    await loopTurn();
    start = performance.now();
  }
}
