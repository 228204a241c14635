import { waitUntil } from '@continuity/testing';
import { expect, it } from 'vitest';
import { repeat } from '../src/process/repeat.ts';

it('repeats work that fails, never overlaps, and waits for the round under way when stopped', async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  let running = 0;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const repetition = repeat(
    1,
    async () => {
      rounds += 1;
      running += 1;
      expect(running).toBe(1);
      if (rounds === 3) await held;
      running -= 1;
      if (rounds < 3) throw new Error(`round ${rounds}`);
    },
    (error) => errors.push(error),
  );
  await waitUntil(() => rounds === 3);
  let isStopped = false;
  const stopped = Promise.all([repetition.stop(), repetition.stop()]).then(() => {
    isStopped = true;
  });
  await new Promise((tick) => setImmediate(tick));
  expect(isStopped).toBe(false);
  letGo();
  await stopped;
  expect(running).toBe(0);
  expect(rounds).toBe(3);
  expect(errors).toMatchObject([{ message: 'round 1' }, { message: 'round 2' }]);
});
