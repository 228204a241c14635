import type { OperationSpec } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import fc from 'fast-check';
import { type Part, type Schema, type Shape, shapeOf, signatureOf, typesOf } from './schema.ts';
import { strings } from './strings.ts';
import { Fields, Ref, type Tree, treeOf, twists } from './tree.ts';

/** Depth limit. Deeper values are as small as their schema allows. */
const maxDepth = 6;

/** The shape of one part of a request. Values outside the body mostly refer to existing data. */
interface PartShape extends Shape {
  part: Part;
}

/** Generates values that fit one part of an operation's request, with placeholders for values of earlier calls. */
export function inputs(operation: OperationSpec, part: Part): fc.Arbitrary<Tree> {
  const shape = shapeOf(operation, part);
  return shape === undefined ? fc.constant(null) : valuesOf({ ...shape, part }, shape.schema, part, 0);
}

function valuesOf(shape: PartShape, given: Schema, field: string, depth: number): fc.Arbitrary<Tree> {
  const schema = shape.open(given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return fc.oneof(...choices.map((choice) => valuesOf(shape, choice, field, depth)));
  }
  if (schema.const !== undefined) return fc.constant(treeOf(schema.const));
  if (schema.enum !== undefined) {
    const listed = fc.constantFrom(...schema.enum.map(treeOf));
    return shape.part === 'body' ? listed : weighted([seen(field, 'string', listed), 4], [listed, 1]);
  }
  const types = typesOf(schema);
  if (types.length === 0) return anyJson;
  const made = types.map((type) =>
    withMemory(typed(shape, schema, type, field, depth), shape, schema, type, field),
  );
  return fc.oneof(...made);
}

function typed(
  shape: PartShape,
  schema: Schema,
  type: string,
  field: string,
  depth: number,
): fc.Arbitrary<Tree> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  switch (type) {
    case 'string':
      return strings(minLength, maxLength, pattern);
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ ...(schema.minimum !== undefined && { min: schema.minimum }), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrays(shape, schema, field, depth);
    case 'object':
      return objects(shape, schema, depth);
    default:
      throw new Error(`The fuzzer has no values for the JSON Schema type ${type} of ${field}.`);
  }
}

function integers({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema) {
  return weighted(
    [fc.integer({ min: minimum, max: Math.min(maximum, Math.max(minimum, 0) + 8) }), 3],
    [fc.maxSafeInteger().map((value) => Math.min(Math.max(value, minimum), maximum)), 1],
    [fc.constantFrom(minimum, maximum, Math.min(maximum, 2 ** 31 - 1), Math.min(maximum, 2 ** 31)), 1],
  );
}

function arrays(shape: PartShape, schema: Schema, field: string, depth: number): fc.Arbitrary<Tree> {
  const { items, prefixItems = [], minItems = 0, maxItems = 4 } = schema;
  const first = prefixItems.map((item) => valuesOf(shape, item, field, depth + 1));
  const item = typeof items === 'object' ? valuesOf(shape, items, field, depth + 1) : anyJson;
  const rest =
    items === false || depth >= maxDepth ? 0 : Math.max(minItems - first.length, Math.min(maxItems, 4));
  const minLength = Math.max(0, minItems - first.length);
  return fc
    .tuple(fc.tuple(...first), fc.array(item, { minLength, maxLength: Math.max(minLength, rest) }))
    .map(([head, tail]) => [...head, ...tail]);
}

function objects(shape: PartShape, schema: Schema, depth: number): fc.Arbitrary<Tree> {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const names = Object.keys(properties).filter((name) => required.includes(name) || depth < maxDepth);
  const fields = names.map((name) => {
    const value = valuesOf(shape, properties[name] ?? {}, name, depth + 1);
    return required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 });
  });
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isOpen = names.length === 0 && additionalProperties !== false && depth < maxDepth;
  const value = others === undefined ? anyJson : valuesOf(shape, others, 'value', depth + 1);
  const open = isOpen
    ? fc.array(fc.tuple(strings(0, 40, undefined), value), { maxLength: 3 })
    : fc.constant([]);
  return fc.tuple(fc.tuple(...fields), open).map(([made, more]) => {
    const given = names.flatMap((name, index): [string, Tree][] => {
      const one = made[index];
      return one === undefined ? [] : [[name, one]];
    });
    return new Fields([...given, ...more]);
  });
}

const scalars: fc.Arbitrary<Tree> = fc.oneof(
  strings(0, 200, undefined),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

/** Generates any JSON value, for fields of the type `json`. */
const anyJson: fc.Arbitrary<Tree> = weighted<Tree>(
  [strings(1, 400, undefined), 3],
  [scalars, 1],
  [
    fc
      .array(fc.tuple(strings(0, 20, undefined), fc.oneof(scalars, fc.array(scalars, { maxLength: 3 }))), {
        maxLength: 4,
      })
      .map((entries) => new Fields(entries)),
    1,
  ],
);

/** Generates values of a field: mostly values of earlier calls, sometimes the examples of the contract. */
function withMemory(
  made: fc.Arbitrary<Tree>,
  { part }: PartShape,
  schema: Schema,
  type: string,
  field: string,
): fc.Arbitrary<Tree> {
  if (type === 'null' || type === 'boolean' || type === 'array') return made;
  const closed = type === 'object' && schema.additionalProperties === false;
  if (type === 'object' && !closed) return made;
  const name = closed ? signatureOf(schema.required ?? []) : field;
  const examples = closed ? [] : exampleValues(field, type);
  const shown: Choice<Tree>[] = examples.length === 0 ? [] : [[fc.constantFrom(...examples), 3]];
  // Values that must fit together hardly ever do so by chance.
  if (field === 'scope_id')
    return weighted([seen(ownScope, type, made), 30], [seen(name, type, made), 3], [made, 2]);
  const isAddress = closed || part !== 'body';
  return weighted([seen(name, type, made), isAddress ? 40 : 8], ...shown, [made, 3]);
}

/** Placeholder name of the run's own Scopes. */
export const ownScope = 'own-scope';

function seen(field: string, type: string, fallback: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc
    .record({
      index: weighted([fc.constant(0), 4], [fc.nat(3), 2], [fc.nat(40), 1]),
      foreign: weighted([fc.constant(false), 12], [fc.constant(true), 1]),
      twist: weighted([fc.constant('exact' as const), 12], [fc.constantFrom(...twists), 1]),
      fallback,
    })
    .map((parts) => new Ref({ ...parts, field, type }));
}

type Choice<T> = [fc.Arbitrary<T>, number];

/** Chooses one of several arbitraries by weight. */
export function weighted<T>(...choices: Choice<T>[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([arbitrary, weight]) => ({ weight, arbitrary })));
}

const examplesByField = new Map<string, Set<string | number>>();
for (const { examples } of operations) {
  for (const { parameters, body } of examples) collect([parameters, body]);
}

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' || typeof inner === 'number') {
      examplesByField.set(key, (examplesByField.get(key) ?? new Set()).add(inner));
    }
    collect(inner);
  }
}

/** Values of the fields of this name in the examples of the contract. A Scope is always one of the run's own. */
function exampleValues(field: string, type: string): (string | number)[] {
  if (field === 'scope_id') return [];
  const wanted = type === 'string' ? 'string' : 'number';
  return [...(examplesByField.get(field) ?? [])].filter((value) => typeof value === wanted);
}
