import type { JsonValue } from '@continuity/kernel/json';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSchema, InvalidSchemaError } from '../../../src/connectors/json-schema/index.ts';

/** Values and schemas from few names and numbers, so that they meet. */
const name = fc.constantFrom('a', 'b', 'ab', 'constructor');
const number = fc.constantFrom(0, 1, 2, 0.5, -1, 1.5, 3);
const count = fc.constantFrom(0, 1, 2);
const text = fc.constantFrom('', 'a', 'b', 'ab', '😀');
const pattern = fc.constantFrom('a', '^a', 'b$', '^_', '.', '^\\S+$');
const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');

const object = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(name, value), { maxLength: 3 })
    .map((all) => Object.fromEntries(all) as Record<string, T>);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(number, text, fc.constantFrom(null, true, false)),
    fc.array(tie('value'), { maxLength: 3 }),
    object(tie('value')),
  ),
}));

const names = fc.uniqueArray(name, { maxLength: 2 });
const anchor = fc.constantFrom('x', 'y');
const reference = fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#x', '#y', '#/properties/a');

const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, list])),
    ...Object.fromEntries(
      ['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'items'].map((keyword) => [
        keyword,
        inner,
      ]),
    ),
    unevaluatedProperties: fc.oneof(fc.constant(false), inner),
    unevaluatedItems: fc.oneof(fc.constant(false), inner),
    properties: object(inner),
    dependentSchemas: object(inner),
    patternProperties: fc.tuple(pattern, inner).map((entry) => Object.fromEntries([entry])),
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    const: value,
    enum: fc.array(value, { maxLength: 3 }),
    multipleOf: fc.constantFrom(0.5, 2, 3),
    ...Object.fromEntries(
      ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'].map((keyword) => [keyword, number]),
    ),
    ...Object.fromEntries(
      ['Length', 'Items', 'Properties'].flatMap((what) => [
        [`max${what}`, count],
        [`min${what}`, count],
      ]),
    ),
    pattern,
    uniqueItems: fc.boolean(),
    required: names,
    dependentRequired: object(names),
    $ref: reference,
    $dynamicRef: fc.constantFrom('#x', '#y', '#/$defs/a'),
    $anchor: anchor,
    $dynamicAnchor: anchor,
    $id: fc.constantFrom('https://ids.example/one', 'https://ids.example/two'),
  };
  const keyword = fc
    .constantFrom(...Object.keys(keywords))
    .chain((one) => (keywords[one] as fc.Arbitrary<unknown>).map((made) => [one, made] as const));
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.boolean(),
      fc.array(keyword, { maxLength: 5 }).map((all) => Object.fromEntries(all) as JsonValue),
    ),
  };
});

const document = fc
  .tuple(schema, object(schema))
  .map(([root, $defs]): JsonValue => (typeof root === 'boolean' ? root : { ...(root as object), $defs }));

/** The verdict of another validator; undefined for a schema that it does not support. */
function others(one: JsonValue, values: JsonValue[]): boolean[] | undefined {
  try {
    const check = new Ajv2020({ strict: false, ownProperties: true, logger: false }).compile(one as never);
    return values.map((each) => check(each));
  } catch {
    return undefined;
  }
}

test('a schema says of a value what another validator of JSON Schema 2020-12 says', () => {
  let compared = 0;
  const property = fc.property(document, fc.array(value, { minLength: 4, maxLength: 8 }), (one, values) => {
    const ours = read(one);
    fc.pre(ours !== undefined && hasUsableIds(one));
    const expected = others(one, values);
    fc.pre(expected !== undefined);
    compared += 1;
    expect(values.map((each) => ours?.validate(each, '').length === 0)).toEqual(expected);
  });
  // The other one has faults of its own (`contains` beside `prefixItems` in an empty array), so that new ones are not looked for.
  fc.assert(property, { numRuns: 400, maxSkipsPerRun: 100, seed: 20_12 });
  expect(compared).toBe(400);
});

function read(one: JsonValue) {
  try {
    return compileSchema(one, '');
  } catch (error) {
    if (error instanceof InvalidSchemaError) return undefined;
    throw error;
  }
}

/** Two schemas of one `$id` are one to the other validator, and the root's moves where it is registered. */
function hasUsableIds(one: JsonValue): boolean {
  const ids = JSON.stringify(one).match(/"\$id":"[^"]*"/g) ?? [];
  return new Set(ids).size === ids.length && !Object.hasOwn(Object(one) as object, '$id');
}
