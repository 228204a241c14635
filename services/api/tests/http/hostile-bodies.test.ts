import { bodyLimitOf, maxBodyValuesOf } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { cpuTimeOf } from '@continuity/testing';
import { expect, test } from 'vitest';
import { parseBody } from '../../src/http/body.ts';
import { validate } from '../../src/http/validate.ts';

/** Fields of these hold JSON of any shape. */
const openShapes = new Set([
  'capture_content_source',
  'create_source',
  'register_source_definition',
  'submit_source_observation',
  'commit_connector_checkpoint',
]);

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

const closed = operations.flatMap((operation) =>
  operation.body === undefined || openShapes.has(operation.id)
    ? []
    : [{ ...operation, body: operation.body }],
);

test.each(Object.keys(kinds))('no body of %s takes over 50 ms of processor time', async (kind) => {
  for (const operation of closed.filter(({ id }) => id !== 'record_task_outcome')) {
    const make = kinds[kind];
    if (make === undefined) throw new Error('There is no such kind.');
    for (const count of [maxBodyValuesOf(operation) - 1, 700_000]) {
      const body = Buffer.from(make(count)).subarray(0, bodyLimitOf(operation));
      expect(await leastCost(() => refuse(operation.body, body, maxBodyValuesOf(operation)))).toBeLessThan(
        50,
      );
    }
  }
});

function refuse(shape: Parameters<typeof validate>[0], body: Buffer, maxValues: number): void {
  expect(() => validate(shape, parseBody(body, maxValues))).toThrow();
}

/** Least of three: other threads of the process count too. */
async function leastCost(run: () => void): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 3; round += 1) costs.push(await cpuTimeOf(run));
  return Math.min(...costs);
}
