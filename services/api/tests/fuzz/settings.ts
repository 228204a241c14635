import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { inject } from 'vitest';

/** Default of FUZZ_RUNS: chains of one run. With the default seed, the few of `npm test` are the first ones of `npm run test:slow`. */
const defaultRuns = inject('isSlowRun') ? 40 : 4;

/** Default of FUZZ_SEED. It is fixed, so that runs before and after a change send the same calls. */
const defaultSeed = 1_827_385_451;

/** FUZZ_SEED repeats a run, or is `random`. FUZZ_RUNS is the number of chains of calls. */
export const seed = readSeed(process.env['FUZZ_SEED']);
export const runs = Number(process.env['FUZZ_RUNS'] ?? defaultRuns);

function readSeed(given: string | undefined): number {
  return given === 'random' ? randomInt(2 ** 31) : Number(given ?? defaultSeed);
}

/** Time limit of one property in milliseconds, shrinking included. */
const limitMs = Math.max(300_000, runs * 5_000);

/** Asserts a property. A failure shows how to repeat it. */
export async function holds<T>(
  count: number,
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(values, check);
  const details = await fc.check(property, { seed, numRuns: count, interruptAfterTimeLimit: limitMs });
  if (!details.failed) return;
  const { numRuns, numShrinks, errorInstance } = details;
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    `Run ${numRuns}, shrunk ${numShrinks} times. Repeat with FUZZ_SEED=${seed} FUZZ_RUNS=${runs}.\n${message}`,
  );
}
