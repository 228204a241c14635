import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/json.ts';
import { readSchema, SchemaRefused } from '../../../src/kernel/json-schema/index.ts';

const issuesOf = (schema: JsonValue, value: JsonValue) =>
  readSchema(schema, 'schema').issuesOf(value, 'value');

function refusalOf(schema: JsonValue): string[] {
  try {
    readSchema(schema, 'schema');
  } catch (error) {
    if (error instanceof SchemaRefused) return error.issues.map(({ path }) => path);
    throw error;
  }
  return [];
}

test('issues name the place and what is wrong there, all of them', () => {
  const schema = {
    type: 'object',
    required: ['id', '__proto__'],
    properties: { tags: { items: { type: 'string', maxLength: 2 }, uniqueItems: true } },
    additionalProperties: false,
  };
  expect(issuesOf(schema, { tags: ['a', 'a', 1, 'long'], more: null })).toEqual([
    { path: 'value', message: 'must have the property "id"' },
    { path: 'value', message: 'must have the property "__proto__"' },
    { path: 'value.tags[2]', message: 'must be of the type string' },
    { path: 'value.tags[3]', message: 'must have at most 2 characters' },
    { path: 'value.tags', message: 'must not hold an item twice' },
    { path: 'value.more', message: 'must not be there' },
  ]);
  expect(issuesOf({ items: false }, Array(1000).fill(0))).toHaveLength(20);
});

test('multiples are those of decimal numbers', () => {
  const isMultiple = (value: number, multipleOf: number) => issuesOf({ multipleOf }, value).length === 0;
  for (const [value, divisor] of [
    [0.0075, 0.0001],
    [4.5, 1.5],
    [1e308, 5e-324],
    [0, 3],
    [-9, 3],
    [12_391_239_123, 1e-8],
  ] as const) {
    expect(isMultiple(value, divisor), `${value} of ${divisor}`).toBe(true);
  }
  for (const [value, divisor] of [
    [0.00751, 0.0001],
    [35, 1.5],
    [1e308, 0.123456789],
  ] as const) {
    expect(isMultiple(value, divisor), `${value} of ${divisor}`).toBe(false);
  }
});

test('a dynamic reference is resolved in the outermost resource that has its anchor', () => {
  const list = {
    $id: 'https://ids.example/list',
    items: { $dynamicRef: '#item' },
    $defs: { any: { $dynamicAnchor: 'item' } },
  };
  const strings = {
    $ref: '#/$defs/list',
    $defs: { list, string: { $dynamicAnchor: 'item', type: 'string' } },
  };
  expect(issuesOf(strings, ['a', 1])).toMatchObject([{ path: 'value[1]' }]);
  expect(issuesOf(list, ['a', 1])).toEqual([]);
});

test('references begin from the schema with an $id that they stand in', () => {
  const schema = {
    properties: {
      a: { $id: 'https://ids.example/a', $ref: '#/$defs/x', $defs: { x: { type: 'null' } } },
      b: { $ref: '#/$defs/x' },
      'c/d~e%': { type: 'null' },
      f: { $ref: '#/properties/c~1d~0e%25' },
    },
    $defs: { x: { type: 'string' } },
  };
  expect(issuesOf(schema, { a: null, b: 'b', f: null })).toEqual([]);
  expect(issuesOf(schema, { a: 'a', b: null, f: 1 }).map(({ path }) => path)).toEqual([
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
])('%j is refused', (schema, paths) => {
  expect(refusalOf(schema as JsonValue)).toEqual(paths);
});

test.each([
  [JSON.parse('{ "then": { "$ref": "#" } }')],
  [{ items: { $ref: '#' }, properties: { a: { $ref: '#' } } }],
  [{ $dynamicAnchor: 'x', additionalProperties: { $dynamicRef: '#x' } }],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema#', maxItems: 2.0, deprecated: true }],
  [{ dependencies: { a: ['b'], c: { type: 'null' } } }],
  [true],
])('%j is accepted', (schema) => {
  expect(refusalOf(schema)).toEqual([]);
});
