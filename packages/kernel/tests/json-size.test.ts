import { leastCpuTimeOf } from '@continuity/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkJsonSize } from '../src/json/json-size.ts';

const check = (json: string, maxValues: number) => checkJsonSize(Buffer.from(json), maxValues);

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + countValues(one), 1);
}

test('JSON with as many values as allowed is accepted, and with one more is not', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.boolean(), (compact, isIndented) => {
      const value = JSON.parse(compact);
      const json = isIndented ? JSON.stringify(value, null, '\t') : compact;
      const values = countValues(value);
      expect(check(json, values)).toBeUndefined();
      expect(check(json, values - 1)).toBe(`has more than ${values - 1} JSON values`);
    }),
  );
});

test('brackets, colons and quotes inside of strings do not count', () => {
  const text = JSON.stringify(['[[{{"a":1,":"}]'.repeat(100), '\\', '\\"', '"\\']);
  expect(check(text, 5)).toBeUndefined();
});

test('64 levels are accepted, and 65 are not', () => {
  const nest = (levels: number) => '[{"a":'.repeat(levels / 2) + (levels % 2 === 1 ? '[' : '1');
  expect(check(nest(64), 1_000)).toBeUndefined();
  expect(check(nest(65), 1_000)).toBe('is nested deeper than 64 levels');
});

test.each([
  ['nested arrays', '['],
  ['keys', '"a":1,'],
  ['keys without values', '"a":'],
  ['colons', ':'],
  ['empty objects', '{},'],
  ['numbers', '1,'],
  ['strings', '"",'],
])('8 MiB of %s are refused after the bound is reached', async (_name, piece) => {
  const json = Buffer.from(piece.repeat(8_388_608 / piece.length));
  expect(checkJsonSize(json, 100_000)).toBeDefined();
  const cost = await leastCpuTimeOf(() => checkJsonSize(json, 100_000));
  expect(cost).toBeLessThan(25);
});

test('8 MiB in one string, or in strings of backslashes, take a linear pass', async () => {
  for (const piece of ['x', '\\', '"', '1']) {
    const json = Buffer.from(`["${piece.repeat(8_388_608)}"]`);
    expect(await leastCpuTimeOf(() => checkJsonSize(json, 100_000_000))).toBeLessThan(200);
  }
});
