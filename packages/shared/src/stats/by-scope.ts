import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Of } from './counter-query.ts';

/** A part of the answer, for all Scopes together and for each that is listed. */
export interface ByScope<T> {
  whole: T;
  of: (scopeKey: number) => T;
}

/** Adds up counters into a part of the answer. */
export interface Sum<Counter, T> {
  add(counter: Counter): void;
  end(): T;
}

/** Counters that are added, and Scopes that are ended, before others get a turn. */
const countersPerTurn = 2_000;
const scopesPerTurn = 200;

/** Adds up the counters of all Scopes, and of each. Long lists are gone through in several turns of the event loop. */
export async function byScope<Counter extends [Of, ...unknown[]], T>(
  counters: Iterable<Counter>,
  open: () => Sum<Counter, T>,
): Promise<ByScope<T>> {
  const whole = open();
  const sums = new Map<Of, Sum<Counter, T>>();
  let added = 0;
  for (const counter of counters) {
    const sum = sums.get(counter[0]) ?? open();
    sums.set(counter[0], sum);
    sum.add(counter);
    whole.add(counter);
    added += 1;
    if (added % countersPerTurn === 0) await nextTurn();
  }
  const ended = new Map<Of, T>();
  for (const [of, sum] of sums) {
    ended.set(of, sum.end());
    if (ended.size % scopesPerTurn === 0) await nextTurn();
  }
  const quiet = open().end();
  return { whole: whole.end(), of: (scopeKey) => ended.get(scopeKey) ?? quiet };
}
