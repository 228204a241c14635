import type { JsonObject } from '@continuity/kernel/json';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { manifest, observation, register, submit } from '../support/connectors.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { holds, runs } from './settings.ts';

const service = await startService();

afterAll(() => service.stop());

const keywords = [
  ...[
    '$id',
    '$anchor',
    '$dynamicAnchor',
    '$ref',
    '$dynamicRef',
    '$defs',
    '$vocabulary',
    'allOf',
    'anyOf',
    'oneOf',
  ],
  ...[
    'not',
    'if',
    'then',
    'else',
    'dependentSchemas',
    'properties',
    'patternProperties',
    'additionalProperties',
  ],
  ...[
    'propertyNames',
    'unevaluatedProperties',
    'prefixItems',
    'items',
    'contains',
    'unevaluatedItems',
    'type',
  ],
  ...[
    'const',
    'enum',
    'multipleOf',
    'maximum',
    'maxLength',
    'pattern',
    'uniqueItems',
    'required',
    'minContains',
  ],
  ...['dependentRequired', 'format', 'constructor', '__proto__', 'unknown'],
];
const texts = [
  '#',
  '#/$defs/a',
  '#a',
  '#/%',
  'a',
  '(a|a)*$',
  '[',
  '\\p{L}',
  '__proto__',
  'string',
  'object',
  '',
];

/** Objects of keywords with plausible and other values. Some are valid schemas. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.oneof(fc.constantFrom<unknown>(...texts, true, false, null, 0, 1, -1, 1e308), fc.jsonValue()),
    fc.array(tie('schema'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...keywords, 'a', 'b'), tie('schema')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

const object = schema.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));

test('any schema is taken or refused, and any payload fits it or not', { timeout: 600_000 }, async () => {
  const statuses = new Map<string, number>();
  const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  // Fewer would not reach every answer below.
  await holds(Math.max(runs, 40) * 10, fc.tuple(object, fc.jsonValue()), async ([source_schema, value]) => {
    const made = manifest({ source_schema: source_schema as JsonObject });
    const reply = await register(service, made);
    count(`register ${reply.status}`);
    expect([200, 422], reply.text).toContain(reply.status);
    if (reply.status === 422) return;
    expect((reply.json as { fingerprint: string }).fingerprint).toBe(made.fingerprint);
    const sent = observation(made, 'one', 'x', { value: value as JsonObject });
    const submitted = await submit(service, freshScope(), sent);
    count(`submit ${submitted.status}`);
    expect([202, 422], submitted.text).toContain(submitted.status);
  });
  for (const answer of ['register 200', 'register 422', 'submit 202', 'submit 422']) {
    expect(statuses.get(answer), JSON.stringify([...statuses])).toBeGreaterThan(0);
  }
});
