import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/fairness/fair-queue.ts';

const options = { concurrency: 2, maxWaiting: 6, slowMs: 100 };

test('slow groups together leave one place free, for a group that is not slow', () => {
  const queue = new FairQueue<string>({ ...options, concurrency: 3, maxWaiting: 10 });
  for (const group of [1, 2, 3]) {
    queue.add(group, 'slow');
    queue.take();
    queue.release(group, 101);
  }
  for (const group of [1, 2, 3]) queue.add(group, 'slow again');
  expect([queue.take()?.group, queue.take()?.group, queue.take()]).toEqual([1, 2, undefined]);
  queue.add(4, 'quick');
  expect(queue.take()).toEqual({ group: 4, item: 'quick' });
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), group: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('take' as const) }),
  fc.record({ kind: fc.constant('release' as const), durationMs: fc.constantFrom(1, 200) }),
);

interface Item {
  group: number;
}

/** Plays steps on a queue and compares it with lists of what waits and runs. */
function play() {
  const queue = new FairQueue<Item>(options);
  const waiting: Item[] = [];
  const running: number[] = [];
  const forget = (item: Item) => waiting.splice(waiting.indexOf(item), 1);

  return {
    add(group: number): void {
      const item = { group };
      waiting.push(item);
      const dropped = queue.add(group, item);
      expect(dropped !== undefined).toBe(waiting.length > options.maxWaiting);
      if (dropped !== undefined) forget(dropped);
    },
    take(): void {
      const taken = queue.take();
      if (taken === undefined) return;
      expect(running).not.toContain(taken.group);
      expect(taken.item).toBe(waiting.find(({ group }) => group === taken.group));
      forget(taken.item);
      expect(running.push(taken.group)).toBeLessThanOrEqual(options.concurrency);
    },
    release(durationMs: number): void {
      const group = running.shift();
      if (group !== undefined) queue.release(group, durationMs);
    },
    end: () => expect(new Set(queue.clear())).toEqual(new Set(waiting)),
  };
}

test('groups run one item at a time, within the bounds, in their own order, and no item is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const game = play();
      for (const action of steps) {
        if (action.kind === 'add') game.add(action.group);
        else if (action.kind === 'take') game.take();
        else game.release(action.durationMs);
      }
      game.end();
    }),
  );
});
