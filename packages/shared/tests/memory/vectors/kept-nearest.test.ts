import { expect, test } from 'vitest';
import { type Near, Nearest } from '../../../src/memory/search/vectors/kept-nearest.ts';

const limit = 40;

/** Entries of these scores, and how often a score was looked at. */
function counted(scores: number[]): { entries: Near[]; looks: () => number } {
  let looks = 0;
  const entries = scores.map((score, index) => ({
    artifactKey: 1,
    entryId: String(index),
    get score() {
      looks += 1;
      return score;
    },
  }));
  return { entries, looks: () => looks };
}

function keep(entries: Near[]): Near[] {
  const nearest = new Nearest(limit);
  for (const entry of entries) nearest.offer(entry);
  return nearest.all();
}

test.each([
  ['all equal', () => 0.9],
  ['two groups of equals', (index: number) => 0.8 + (index % 2) / 10],
  ['ever better', (index: number) => 0.4 + index / 100_000],
])('an entry more costs as much among many as among few: %s', (_what, scoreOf) => {
  const looksOf = (count: number) => {
    const { entries, looks } = counted(Array.from({ length: count }, (_, index) => scoreOf(index)));
    keep(entries);
    return looks() / count;
  };
  expect(looksOf(20_000)).toBeLessThan(2 * looksOf(1_000));
});

test('those that equal the last of the best are kept, and no others', () => {
  for (const steps of [1, 3, 50, 2_000]) {
    const scores = Array.from({ length: 3_000 }, (_, index) => (((index * 7_919) % 3_001) % steps) / steps);
    const last = [...scores].sort((left, right) => right - left)[limit - 1] ?? 0;
    const kept = keep(counted(scores).entries).map(({ entryId }) => Number(entryId));
    const expected = scores.flatMap((score, index) => (score >= Math.max(last, 0.3) ? [index] : []));
    expect(kept.sort((left, right) => left - right)).toEqual(expected);
  }
});
