import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  defaultToolSets,
  describeTool,
  fitToolArguments,
  type ToolName,
  type ToolSchema,
  toolSets,
  toolTable,
} from '../src/mcp/index.ts';
import { toToolSchema } from '../src/mcp/tool-schema.ts';
import { toolShapeOf } from '../src/mcp/tool-shape.ts';
import { type OperationSpec, operationTable } from '../src/operations/index.ts';

const names = Object.keys(toolTable) as ToolName[];

/** All schemas of a tool, each with its path and the number of objects that it lies in. */
function* schemasOf(schema: ToolSchema, path = '', depth = 0): Generator<[ToolSchema, string, number]> {
  yield [schema, path, depth];
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* schemasOf(property, `${path}.${name}`, depth + 1);
  if (schema.items !== undefined) yield* schemasOf(schema.items, `${path}[]`, depth);
}

const keywords = new Set(['type', 'properties', 'required', 'items', 'enum', 'description']);

describe('spec 70 scenario 23: the schemas of every set', () => {
  test.each(names)('%s', (name) => {
    const { inputSchema } = describeTool(name);
    expect(inputSchema.type).toBe('object');
    expect(JSON.stringify(inputSchema).length).toBeLessThanOrEqual(4_096);
    for (const [schema, path, depth] of schemasOf(inputSchema)) {
      expect(
        Object.keys(schema).filter((keyword) => !keywords.has(keyword)),
        path,
      ).toEqual([]);
      expect(['object', 'array', 'string', 'integer', 'number', 'boolean'], path).toContain(schema.type);
      if (schema.type === 'object') {
        const properties = Object.keys(schema.properties ?? {});
        expect(properties.length, path).toBeGreaterThan(0);
        expect(properties, path).toEqual(expect.arrayContaining(schema.required ?? []));
        // The top is the first.
        expect(depth, path).toBeLessThanOrEqual(6);
      }
      if (schema.type === 'array') expect(schema.items, path).toBeDefined();
    }
    const { scope_id: scope } = inputSchema.properties;
    for (const [parameter, { description }] of Object.entries(inputSchema.properties))
      expect(description, parameter).not.toBeUndefined();
    if (scope !== undefined) expect(Object.keys(inputSchema.properties)[0]).toBe('scope_id');
  });

  test('the lists are small enough for a model to read at each turn', () => {
    const sizeOf = (sets: ReadonlySet<string>) =>
      JSON.stringify(names.filter((name) => sets.has(toolTable[name].set)).map((name) => describeTool(name)))
        .length;
    expect(sizeOf(defaultToolSets)).toBeLessThanOrEqual(22_000);
    expect(Math.max(...names.map((name) => JSON.stringify(describeTool(name)).length))).toBeLessThanOrEqual(
      4_500,
    );
    expect(new Set(names.map((name) => toolTable[name].set))).toEqual(new Set(toolSets));
  });
});

/** A value for a schema: all of it, or what is required and null for the rest. */
function valueFor(schema: ToolSchema, isNullFilled: boolean): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          schema.required?.includes(name) || !isNullFilled ? valueFor(property, isNullFilled) : null,
        ]),
      );
    case 'array':
      return schema.items === undefined ? [] : [valueFor(schema.items, isNullFilled)];
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 1;
    default:
      return true;
  }
}

/** The parts of a request with the arguments of a tool. */
function issuesOf(name: ToolName, args: Record<string, unknown>): string[] {
  const { params, query, body }: OperationSpec = operationTable[name];
  const fitted = fitToolArguments(name, args);
  const shape: Record<string, z.ZodType> = { ...params?.shape, ...query?.shape };
  const own = Object.fromEntries(Object.entries(fitted).filter(([field]) => Object.hasOwn(shape, field)));
  const rest = Object.fromEntries(Object.entries(fitted).filter(([field]) => !Object.hasOwn(shape, field)));
  const results = [z.object(shape).safeParse(own), ...(body === undefined ? [] : [body.safeParse(rest)])];
  return results.flatMap(({ error }) =>
    (error?.issues ?? []).map(({ path, code }) => `${path.join('.')} ${code}`),
  );
}

/** What a schema does not say: rules between fields, and formats. */
const needed: Partial<Record<ToolName, Record<string, unknown>>> = {
  get_memory_entry: { short_id: 'a' },
  get_experience: { short_id: 'a' },
};

describe('spec 70 scenario 24: what the schema asks for, and null for the rest, has the exact shape', () => {
  test.each(names)('%s', (name) => {
    const { inputSchema } = describeTool(name);
    const given = valueFor(inputSchema, true) as Record<string, unknown>;
    const withDigests = JSON.parse(
      JSON.stringify(given).replaceAll(
        '"package_digest":"text"',
        `"package_digest":"sha256:${'0'.repeat(64)}"`,
      ),
    ) as Record<string, unknown>;
    const proposal = { situation: 's', action: 'a', outcome: 'o', lesson: 'l', name: null, package: null };
    const mended = {
      ...withDigests,
      ...needed[name],
      ...(name === 'revise_artifact_candidate' && { proposal }),
    };
    expect(issuesOf(name, mended)).toEqual([]);
    const required = Object.fromEntries(Object.entries(mended).filter(([, value]) => value !== null));
    expect(issuesOf(name, required)).toEqual([]);
  });
});

describe('a shape as the schema of a tool (spec 70 §5.1)', () => {
  const schemaOf = (shape: z.ZodType) => toToolSchema(toolShapeOf(shape));

  test('a union of objects is one object, which requires what all require', () => {
    const shape = z.union([
      z.strictObject({ kind: z.literal('a'), id: z.string(), only: z.int().min(1).max(5) }),
      z.strictObject({ kind: z.literal('b'), id: z.string().optional(), kinds: z.array(z.enum(['x', 'y'])) }),
    ]);
    expect(schemaOf(shape)).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        id: { type: 'string' },
        only: { type: 'integer', description: '1 to 5.' },
        kinds: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      },
      required: ['kind'],
    });
  });

  test('nullable is optional, a map and an optional constant are left out, bounds and defaults are words', () => {
    const shape = z.strictObject({
      version: z.literal('v1').default('v1'),
      needed: z.string().max(10).nullable(),
      limit: z.int().min(1).max(50).default(10).meta({ description: 'How many.' }),
      data: z.record(z.string(), z.unknown()),
      of: z.literal('this'),
    });
    expect(schemaOf(shape)).toEqual({
      type: 'object',
      properties: {
        needed: { type: 'string', description: 'At most 10 characters.' },
        limit: { type: 'integer', description: 'How many. 1 to 50. Default 10.' },
        of: { type: 'string', enum: ['this'] },
      },
      required: ['of'],
    });
  });

  test('a value of two types has no schema', () => {
    expect(() => toolShapeOf(z.union([z.string(), z.int()]))).toThrow('string or integer');
  });
});

test('the Scope of the caller is filled in, where a call names none or null', () => {
  const { inputSchema } = describeTool('search_memory', 'project:x');
  expect(inputSchema.required).toEqual(['query']);
  expect(inputSchema.properties['scope_id']?.description).toContain('Default `project:x`.');
  for (const scope_id of [undefined, null])
    expect(fitToolArguments('search_memory', { query: 'a', scope_id }, 'project:x')).toEqual({
      scope_id: 'project:x',
      query: 'a',
    });
  expect(fitToolArguments('search_memory', { query: 'a', scope_id: 'other' }, 'project:x')).toMatchObject({
    scope_id: 'other',
  });
  // A tool without a Scope gets none.
  expect(fitToolArguments('get_stats', { selection: { mode: 'all' } }, 'project:x')).not.toHaveProperty(
    'scope_id',
  );
});
