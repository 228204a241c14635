import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/json.ts';
import { readSchema, SchemaRefused } from '../../../src/kernel/json-schema/index.ts';

const issuesOf = async (schema: JsonValue, value: JsonValue) =>
  (await readSchema(schema, 'schema')).issuesOf(value, 'value');

async function refusalOf(schema: JsonValue): Promise<string[]> {
  try {
    await readSchema(schema, 'schema');
  } catch (error) {
    if (error instanceof SchemaRefused) return error.issues.map(({ path }) => path);
    throw error;
  }
  return [];
}

test('issues name the place and what is wrong there, all of them', async () => {
  const schema = {
    type: 'object',
    required: ['id', '__proto__'],
    properties: { tags: { items: { type: 'string', maxLength: 2 }, uniqueItems: true } },
    additionalProperties: false,
  };
  expect(await issuesOf(schema, { tags: ['a', 'a', 1, 'long'], more: null })).toEqual([
    { path: 'value', message: 'does not fit required ["id","__proto__"]' },
    { path: 'value.tags[2]', message: 'does not fit type "string"' },
    { path: 'value.tags[3]', message: 'does not fit maxLength 2' },
    { path: 'value.tags', message: 'does not fit uniqueItems true' },
    { path: 'value.more', message: 'must not be there' },
  ]);
  expect(await issuesOf({ items: false }, Array(1000).fill(0))).toHaveLength(20);
});

test('names and values of a caller are data, whatever they look like', async () => {
  const schema = JSON.parse(`{
    "properties": { "constructor": { "type": "string" }, "$ref": { "const": { "$ref": "#/nowhere" } } },
    "patternProperties": { "^__": { "enum": [{ "$id": "x" }, 1] } },
    "additionalProperties": { "type": "null" }
  }`);
  const fits =
    '{ "constructor": "a", "$ref": { "$ref": "#/nowhere" }, "__proto__": { "$id": "x" }, "toString": null }';
  expect(await issuesOf(schema, JSON.parse(fits))).toEqual([]);
  const misfits = '{ "constructor": 1, "$ref": {}, "__proto__": 2, "toString": 1 }';
  expect((await issuesOf(schema, JSON.parse(misfits))).map(({ path }) => path)).toEqual([
    'value.constructor',
    'value.$ref',
    'value.__proto__',
    'value.toString',
  ]);
});

test('issues below long names are short', async () => {
  const name = '\u{1F9E0}'.repeat(100_000);
  const issues = await issuesOf(
    { additionalProperties: { items: false, minItems: 99 } },
    { [name]: Array(30).fill(0) },
  );
  expect(issues).toHaveLength(20);
  expect(JSON.stringify(issues).length).toBeLessThan(20_000);
});

test.each([
  [{ contains: { const: 1 } }, [[1], [2, 1]], [[], [2]]],
  [{ contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  [{ contains: { const: 1 }, minContains: 2, maxContains: 2 }, [[1, 2, 1]], [[1], [1, 1, 1]]],
  [{ prefixItems: [false], contains: true }, [], [[], [1]]],
  [{ prefixItems: [true], contains: { const: 1 }, unevaluatedItems: false }, [['a', 1]], [['a', 1, 2]]],
])('%j counts the items that fit', async (schema, fitting, others) => {
  for (const value of fitting) expect(await issuesOf(schema as JsonValue, value)).toEqual([]);
  for (const value of others) expect(await issuesOf(schema as JsonValue, value)).not.toEqual([]);
});

test('multiples are those of decimal numbers', async () => {
  const isMultiple = async (value: number, multipleOf: number) =>
    (await issuesOf({ multipleOf }, value)).length === 0;
  for (const [value, divisor] of [
    [0.0075, 0.0001],
    [4.5, 1.5],
    [1e308, 5e-324],
    [0, 3],
    [-9, 3],
    [12_391_239_123, 1e-8],
  ] as const) {
    expect(await isMultiple(value, divisor), `${value} of ${divisor}`).toBe(true);
  }
  for (const [value, divisor] of [
    [0.00751, 0.0001],
    [35, 1.5],
    [1e308, 0.123456789],
  ] as const) {
    expect(await isMultiple(value, divisor), `${value} of ${divisor}`).toBe(false);
  }
});

test('a dynamic reference is resolved in the outermost resource that has its anchor', async () => {
  const list = {
    $id: 'https://ids.example/list',
    items: { $dynamicRef: '#item' },
    $defs: { any: { $dynamicAnchor: 'item' } },
  };
  const strings = {
    $ref: '#/$defs/list',
    $defs: { list, string: { $dynamicAnchor: 'item', type: 'string' } },
  };
  expect(await issuesOf(strings, ['a', 1])).toMatchObject([{ path: 'value[1]' }]);
  expect(await issuesOf(list, ['a', 1])).toEqual([]);
});

test('references begin from the schema with an $id that they stand in', async () => {
  const schema = {
    properties: {
      a: { $id: 'https://ids.example/a', $ref: '#/$defs/x', $defs: { x: { type: 'null' } } },
      b: { $ref: '#/$defs/x' },
      'c/d~e%': { type: 'null' },
      f: { $ref: '#/properties/c~1d~0e%25' },
    },
    $defs: { x: { type: 'string' } },
  };
  expect(await issuesOf(schema, { a: null, b: 'b', f: null })).toEqual([]);
  expect((await issuesOf(schema, { a: 'a', b: null, f: 1 })).map(({ path }) => path)).toEqual([
    'value.a',
    'value.b',
    'value.f',
  ]);
});

test.each([
  [{ $ref: '#/properties' }, ['schema.$ref']],
  [{ $ref: '#%' }, ['schema.$ref']],
  [
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } },
    ['schema.$defs.a'],
  ],
  [{ if: true, else: { dependentSchemas: { a: { $ref: '#' } } } }, ['schema']],
  [{ $dynamicAnchor: 'x', anyOf: [{ $dynamicRef: '#x' }] }, ['schema']],
  [{ $anchor: 'a', items: { $anchor: 'a' } }, ['schema.items.$anchor']],
  [{ $anchor: '1' }, ['schema.$anchor']],
  [{ $id: '#fragment' }, ['schema.$id']],
  [
    { $vocabulary: { x: 1 }, $comment: 1, $defs: [], definitions: 1 },
    ['schema.$vocabulary', 'schema.$comment', 'schema.$defs', 'schema.definitions'],
  ],
  [{ type: [] }, ['schema.type']],
  [{ type: ['null', 'null'] }, ['schema.type']],
  [{ required: ['a', 'a'] }, ['schema.required']],
  [{ dependentRequired: { a: 'b' } }, ['schema.dependentRequired']],
  [{ allOf: [] }, ['schema.allOf']],
  [{ properties: { a: 1 } }, ['schema.properties.a']],
  [
    { multipleOf: 0, maxItems: 1.5, uniqueItems: 'yes' },
    ['schema.multipleOf', 'schema.maxItems', 'schema.uniqueItems'],
  ],
  [
    { contentSchema: { $ref: 'x' }, definitions: { a: { type: 1 } } },
    ['schema.contentSchema.$ref', 'schema.definitions.a.type'],
  ],
  [[], ['schema']],
])('%j is refused', async (schema, paths) => {
  expect(await refusalOf(schema as JsonValue)).toEqual(paths);
});

test.each([
  [JSON.parse('{ "then": { "$ref": "#" } }')],
  [{ items: { $ref: '#' }, properties: { a: { $ref: '#' } } }],
  [{ $dynamicAnchor: 'x', additionalProperties: { $dynamicRef: '#x' } }],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema#', maxItems: 2.0, deprecated: true }],
  [{ dependencies: { a: ['b'], c: { type: 'null' } } }],
  [true],
])('%j is accepted', async (schema) => {
  expect(await refusalOf(schema)).toEqual([]);
});
