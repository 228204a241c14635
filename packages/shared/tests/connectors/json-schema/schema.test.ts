import type { JsonValue } from '@continuity/kernel/json';
import { expect, test } from 'vitest';
import { compileSchema, InvalidSchemaError } from '../../../src/connectors/json-schema/index.ts';

const issuesOf = (schema: JsonValue, value: JsonValue) =>
  compileSchema(schema, 'schema').validate(value, 'value');

function refusalOf(schema: JsonValue): string[] {
  try {
    compileSchema(schema, 'schema');
  } catch (error) {
    if (error instanceof InvalidSchemaError) return error.issues.map(({ path }) => path);
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
    { path: 'value', message: 'does not satisfy required ["id","__proto__"]' },
    { path: 'value.tags[2]', message: 'does not satisfy type "string"' },
    { path: 'value.tags[3]', message: 'does not satisfy maxLength 2' },
    { path: 'value.tags', message: 'does not satisfy uniqueItems true' },
    { path: 'value.more', message: 'must not be present' },
  ]);
  expect(issuesOf({ items: false }, Array(1000).fill(0))).toHaveLength(20);
});

test('names and values of a caller are data, whatever they look like', () => {
  const schema = JSON.parse(`{
    "properties": { "constructor": { "type": "string" }, "$ref": { "const": { "$ref": "#/nowhere" } } },
    "patternProperties": { "^__": { "enum": [{ "$id": "x" }, 1] } },
    "additionalProperties": { "type": "null" }
  }`);
  const fits =
    '{ "constructor": "a", "$ref": { "$ref": "#/nowhere" }, "__proto__": { "$id": "x" }, "toString": null }';
  expect(issuesOf(schema, JSON.parse(fits))).toEqual([]);
  const misfits = '{ "constructor": 1, "$ref": {}, "__proto__": 2, "toString": 1 }';
  expect(issuesOf(schema, JSON.parse(misfits)).map(({ path }) => path)).toEqual([
    'value.constructor',
    'value.$ref',
    'value.__proto__',
    'value.toString',
  ]);
});

test('issues below long names are short', () => {
  const name = '\u{1F9E0}'.repeat(100_000);
  const issues = issuesOf(
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
])('%j counts the items that fit', (schema, fitting, others) => {
  for (const value of fitting) expect(issuesOf(schema as JsonValue, value)).toEqual([]);
  for (const value of others) expect(issuesOf(schema as JsonValue, value)).not.toEqual([]);
});

test.each([
  [
    { properties: { a: true }, anyOf: [{ required: ['b'], properties: { b: true } }, true] },
    { a: 1, b: 1 },
    { a: 1, c: 1 },
  ],
  [{ oneOf: [{ properties: { a: { const: 1 } } }, { required: ['b'] }] }, { a: 1 }, { a: 2, b: 1 }],
  [{ if: { required: ['a'], properties: { a: true } } }, { a: 1 }, { b: 1 }],
  [{ if: { required: ['b'] }, else: { properties: { a: true } } }, { a: 1 }, { a: 1, c: 1 }],
  [{ dependentSchemas: { a: { patternProperties: { '^[ab]$': true } } } }, { a: 1, b: 1 }, { b: 1 }],
  [{ not: { not: { properties: { a: true } } } }, {}, { a: 1 }],
  [{ $ref: '#/$defs/a', $defs: { a: { additionalProperties: true } } }, { a: 1 }, undefined],
  [{ allOf: [{ unevaluatedProperties: true }] }, { a: 1 }, undefined],
])(
  '%j beside unevaluatedProperties: false evaluates the properties of the schemas that match',
  (schema, valid, invalid) => {
    const closed = { ...schema, unevaluatedProperties: false } as JsonValue;
    expect(issuesOf(closed, valid as JsonValue)).toEqual([]);
    if (invalid !== undefined) expect(issuesOf(closed, invalid as JsonValue)).not.toEqual([]);
  },
);

test('a schema does not see what its neighbors evaluate', () => {
  const schema = { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] };
  expect(issuesOf(schema, { a: 1 })).toEqual([{ path: 'value.a', message: 'must not be present' }]);
});

test('unevaluatedItems sees prefixItems, contains and nested schemas', () => {
  const schema = {
    prefixItems: [{ const: 'first' }],
    contains: { type: 'number' },
    anyOf: [{ prefixItems: [true, { const: 'second' }] }, true],
    unevaluatedItems: { type: 'null' },
  };
  expect(issuesOf(schema, ['first', 'second', null, 3, null])).toEqual([]);
  expect(issuesOf(schema, ['first', 'other', 3])).toEqual([
    { path: 'value[1]', message: 'does not satisfy type "null"' },
  ]);
});

test('equality is that of JSON, in const, enum and uniqueItems', () => {
  expect(issuesOf({ const: { a: [1], b: null } }, { b: null, a: [1.0] })).toEqual([]);
  expect(issuesOf({ enum: [] }, null)).toHaveLength(1);
  expect(issuesOf({ enum: [0, '1', [true]] }, [true])).toEqual([]);
  for (const value of [1, false, '[true]', [1]]) {
    expect(issuesOf({ enum: [0, '1', [true]] }, value)).toHaveLength(1);
  }
  expect(issuesOf({ uniqueItems: true }, [1, true, '1', '[1]', [1], { a: 1, b: 2 }])).toEqual([]);
  expect(
    issuesOf({ uniqueItems: true }, [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toHaveLength(1);
});

test('keywords of other dialects are annotations', () => {
  const schema = {
    $async: true,
    nullable: true,
    id: 1,
    type: 'string',
    $recursiveRef: 'x',
    dependencies: { a: false },
  };
  expect(issuesOf(schema, 'a')).toEqual([]);
  expect(issuesOf(schema, null)).toHaveLength(1);
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
