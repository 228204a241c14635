import { setImmediate as loopTurn } from 'node:timers/promises';

/** Longest work without a turn of the event loop, in ms. */
const sliceMs = 10;

/** Work that can pause at each `yield`. Steps between two of them take well under 10 ms. */
export type Steps<Result> = Generator<void, Result, void>;

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
