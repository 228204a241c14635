import { type Issue, int } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validate } from '../../src/http/validate.ts';

/** The issues of a value; none for a valid one. */
function issuesOf(schema: z.ZodType, value: unknown): Issue[] {
  try {
    validate(schema, value);
    return [];
  } catch (error) {
    return (error as { details: { issues: Issue[] } }).details.issues;
  }
}

const wrongValues = [null, 7, -1, 1.5, '', 'x', 'x'.repeat(40_000), true, [], [7], {}, { unknown: 1 }];

/** The value with each of its parts, in turn, left out or replaced. */
function* mutantsOf(value: unknown): Generator<unknown> {
  yield* wrongValues;
  yield undefined;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const mutant of mutantsOf(part)) {
      if (Array.isArray(value)) yield value.with(Number(key), mutant);
      else yield { ...value, [key]: mutant };
    }
  }
}

test.each(operations.filter(({ body }) => body))(
  'no issue of $id is in the words of the library',
  (operation) => {
    const schema = operation.body ?? z.never();
    const messages = operation.examples
      .flatMap(({ body }) => [...mutantsOf(body)])
      .flatMap((mutant) => issuesOf(schema, mutant))
      .map(({ message }) => message);
    expect(messages.length).toBeGreaterThan(0);
    const foreign = messages.filter((message) =>
      /invalid|too (big|small)|expected|unrecognized|undefined|NaN/i.test(message),
    );
    expect([...new Set(foreign)]).toEqual([]);
  },
);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), 7, 'must be a string'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.enum(['a', 'b']), 'c', 'must be "a" or "b"'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 items, and has 2'],
  [z.number().min(2), 1, 'must be at least 2'],
  [int(1), 0, 'must be at least 1'],
  [int(1), 2 ** 53, 'must be at most 9007199254740991'],
  [int(1, 9), 10, 'must be from 1 to 9'],
])('%#: %j is answered in the words of the contract', (schema, value, message) => {
  expect(issuesOf(schema, value)).toEqual([{ path: '', message }]);
});
