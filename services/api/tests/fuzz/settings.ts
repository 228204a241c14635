import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** Chains of one run where FUZZ_RUNS says nothing. */
const defaultRuns = 40;

/** Seed where FUZZ_SEED says nothing: a change is judged by the same calls as the one before it. */
const defaultSeed = 1_827_385_451;

/** FUZZ_SEED repeats a run, or is `random`; FUZZ_RUNS says how many chains of calls it plays. */
export const seed = readSeed(process.env['FUZZ_SEED']);
export const runs = Number(process.env['FUZZ_RUNS'] ?? defaultRuns);

function readSeed(given: string | undefined): number {
  return given === 'random' ? randomInt(2 ** 31) : Number(given ?? defaultSeed);
}

/** Longest time for one property, the search for a smaller counterexample included. */
const limitMs = Math.max(300_000, runs * 5_000);

/** Asserts a property, and says in a failure how to repeat it. */
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
    `Run ${numRuns}, made smaller ${numShrinks} times. Repeat with FUZZ_SEED=${seed} FUZZ_RUNS=${runs}.\n${message}`,
  );
}
