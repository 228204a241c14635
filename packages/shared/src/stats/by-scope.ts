import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Counters, Of } from './counters.ts';
import { type Text, TextStore } from './text-store.ts';

/** A part of the answer, for all Scopes together and for each that is listed. */
export interface ByScope {
  whole: Text;
  of: (scopeKey: number) => Text;
}

/** Adds up counters into a part of the answer. */
export interface Sum<Counter> {
  add(counter: Counter): void;
  /** Writes what was added since the last end. */
  end(out: TextStore): void;
}

/** Scopes and counters that are gone through before others get a turn. */
const stepsPerTurn = 1_000;

/** Adds up the counters of all Scopes, and of each. Long lists are gone through in several turns of the event loop. */
export async function byScope<Counter extends [Of, ...unknown[]]>(
  counters: Counters<Counter>,
  open: () => Sum<Counter>,
): Promise<ByScope> {
  const out = new TextStore();
  const [all, each] = [open(), open()];
  each.end(out);
  const quiet = out.end();
  const texts = new Map<Of, Text>();
  let steps = 0;
  for (const [of, places] of counters.placesByScope()) {
    for (const place of places) {
      const counter = counters.at(place);
      all.add(counter);
      if (of !== null) each.add(counter);
    }
    if (of === null) continue;
    each.end(out);
    texts.set(of, out.end());
    steps += 1 + places.length;
    if (steps < stepsPerTurn) continue;
    steps = 0;
    await nextTurn();
  }
  all.end(out);
  return { whole: out.end(), of: (scopeKey) => texts.get(scopeKey) ?? quiet };
}

/** Adds up the counters of all Scopes, as `byScope` does. */
export async function wholeOf<Counter extends [Of, ...unknown[]]>(
  counters: Counters<Counter>,
  open: () => Sum<Counter>,
): Promise<Text> {
  const out = new TextStore();
  const all = open();
  for (let place = 0; place < counters.count; place += 1) {
    all.add(counters.at(place));
    if (place % stepsPerTurn === stepsPerTurn - 1) await nextTurn();
  }
  all.end(out);
  return out.end();
}
