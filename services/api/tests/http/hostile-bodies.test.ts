import { maxBodyValuesOf } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { leastCpuTimeOf } from '@continuity/testing';
import { expect, test } from 'vitest';
import { parseBody } from '../../src/bodies/parse-body.ts';
import { validate } from '../../src/http/validate.ts';

/** Each fills a body with one kind of small values. */
const kinds: Record<string, (count: number) => string> = {
  'unknown fields': (count) => `{${list(count, (index) => `"${key(index)}":1`)}}`,
  'objects of one unknown field': (count) => `[${list(count / 2, (index) => `{"${key(index)}":1}`)}]`,
  'empty arrays': (count) => `[${list(count, () => '[]')}]`,
  'nested arrays': (count) => `[${list(count / 60, () => '['.repeat(60) + ']'.repeat(60))}]`,
};

function list(count: number, piece: (index: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, index) => piece(index)).join(',');
}

function key(index: number): string {
  return ((index * 2_654_435_761) % 4_294_967_296).toString(36);
}

const bodies = ['search_memory', 'commit_handoff'].flatMap((id) =>
  Object.entries(kinds).map(([kind, make]) => ({ id, kind, make })),
);

test.each(bodies)('a body of $kind for $id takes less than 50 ms of processor time', async ({ id, make }) => {
  const operation = operations.find((one) => one.id === id);
  if (operation?.body === undefined) throw new Error(`No operation ${id} has a body.`);
  const shape = operation.body;
  const maxValues = maxBodyValuesOf(operation);
  const body = Buffer.from(make(maxValues - 1));
  const refuse = () => expect(() => validate(shape, parseBody(body, maxValues))).toThrow();
  expect(await leastCpuTimeOf(refuse, 8)).toBeLessThan(50);
});
