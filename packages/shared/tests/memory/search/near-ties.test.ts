import { expect, test } from 'vitest';
import { levelNearTies } from '../../../src/memory/search/near-ties.ts';

const candidate = (name: string, score: number, words: number) => ({
  name,
  score,
  channels: { fts: { score: words, share: 0.5, best: 1 } },
});
const scores = (...candidates: ReturnType<typeof candidate>[]) =>
  levelNearTies(candidates).map(({ score }) => score);

test('spec 26 S16: equal words and nearly equal scores share the best score', () => {
  expect(scores(candidate('8080', 1, 2.5), candidate('9090', 0.96, 2.5))).toEqual([1, 1]);
});

test('spec 26 S16: a clear difference of meaning stays', () => {
  expect(scores(candidate('Munich', 1, 2.5), candidate('Berlin', 0.92, 2.5))).toEqual([1, 0.92]);
});

test('spec 26 S16: where vectors count less, so does their difference', () => {
  const candidates = [candidate('8080', 1, 2.5), candidate('9090', 0.96, 2.5)];
  expect(levelNearTies(candidates, 0.5).map(({ score }) => score)).toEqual([1, 0.96]);
});

test('spec 26 S16: other words, or none, are no near tie', () => {
  expect(scores(candidate('a', 1, 2.5), candidate('b', 0.98, 2.4))).toEqual([1, 0.98]);
  expect(scores(candidate('a', 1, 0), candidate('b', 0.98, 0))).toEqual([1, 0.98]);
});

test('spec 26 S16: a tie does not grow beyond its best score', () => {
  expect(scores(candidate('a', 1, 2), candidate('b', 0.96, 2), candidate('c', 0.93, 2))).toEqual([
    1, 1, 0.93,
  ]);
});
