import { expect, test } from 'vitest';
import { TopScores } from '../../src/search/index.ts';

const limit = 40;

interface Item {
  id: number;
  score: number;
}

/** Items with these scores, and how often a score was read. */
function counted(scores: number[]): { items: Item[]; reads: () => number } {
  let reads = 0;
  const items = scores.map((score, id) => ({
    id,
    get score() {
      reads += 1;
      return score;
    },
  }));
  return { items, reads: () => reads };
}

function keep(items: Item[]): Item[] {
  const best = new TopScores<Item>(limit, 0.3);
  for (const item of items) best.offer(item);
  return best.all();
}

test.each([
  ['all equal', () => 0.9],
  ['two groups of equals', (index: number) => 0.8 + (index % 2) / 10],
  ['ever better', (index: number) => 0.4 + index / 100_000],
])('the cost of an item does not grow with their number: %s', (_what, scoreOf) => {
  const readsFor = (count: number) => {
    const { items, reads } = counted(Array.from({ length: count }, (_, index) => scoreOf(index)));
    keep(items);
    return reads() / count;
  };
  expect(readsFor(20_000)).toBeLessThan(2 * readsFor(1_000));
});

test('keeps the best items, and those that equal the last of them', () => {
  for (const steps of [1, 3, 50, 2_000]) {
    const scores = Array.from({ length: 3_000 }, (_, index) => (((index * 7_919) % 3_001) % steps) / steps);
    const last = [...scores].sort((left, right) => right - left)[limit - 1] ?? 0;
    const kept = keep(counted(scores).items).map(({ id }) => id);
    const expected = scores.flatMap((score, index) => (score >= Math.max(last, 0.3) ? [index] : []));
    expect(kept.sort((left, right) => left - right)).toEqual(expected);
  }
});
