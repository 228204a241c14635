import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/json.ts';
import { readSchema, SchemaRefused } from '../../../src/kernel/json-schema/index.ts';

/** Values and schemas from few names and numbers, so that they meet. */
const name = fc.constantFrom('a', 'b', 'ab', '__proto__', 'constructor');
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
      ['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'items', 'contains'].map(
        (keyword) => [keyword, inner],
      ),
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
      ['Length', 'Items', 'Properties', 'Contains'].flatMap((what) => [
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

const uri = 'https://agreement.example/schema';

/** What another interpreter says; undefined where it can do nothing with the schema. */
async function others(one: JsonValue, values: JsonValue[]): Promise<boolean[] | undefined> {
  try {
    registerSchema(one as never, uri, 'https://json-schema.org/draft/2020-12/schema');
    const check = await validate(uri);
    return values.map((each) => check(each as never).valid);
  } catch {
    return undefined;
  } finally {
    unregisterSchema(uri);
  }
}

test('a schema says of a value what another interpreter of JSON Schema 2020-12 says', async () => {
  let compared = 0;
  const property = fc.asyncProperty(
    document,
    fc.array(value, { minLength: 4, maxLength: 8 }),
    async (one, values) => {
      const ours = read(one);
      fc.pre(ours !== undefined && hasUsableIds(one));
      const expected = await others(one, values);
      fc.pre(expected !== undefined);
      compared += 1;
      expect(values.map((each) => ours?.issuesOf(each, '').length === 0)).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: 2000, maxSkipsPerRun: 100 });
  expect(compared).toBe(2000);
});

function read(one: JsonValue) {
  try {
    return readSchema(one, '');
  } catch (error) {
    if (error instanceof SchemaRefused) return undefined;
    throw error;
  }
}

/** Two schemas of one `$id` are one to the other interpreter, and the root's moves where it is registered. */
function hasUsableIds(one: JsonValue): boolean {
  const ids = JSON.stringify(one).match(/"\$id":"[^"]*"/g) ?? [];
  return new Set(ids).size === ids.length && !Object.hasOwn(Object(one) as object, '$id');
}
