import { z } from 'zod';

export type Scalar = 'string' | 'integer' | 'number' | 'boolean';

type Values = (string | number | boolean)[];

/** What a field is where a call leaves it out, if that says more than its absence. */
type Default = string | number | boolean;

/** The shape of a value, as far as the schemas of tools need it. A union of objects is one object. */
export type ToolShape = { description: string; default?: Default } & (
  | { type: 'object'; fields: Record<string, ToolField> }
  | { type: 'array'; items: ToolShape }
  | { type: Scalar; values?: Values }
  /** A map, or any JSON: no schema describes it. */
  | { type: 'free' }
);

export interface ToolField {
  shape: ToolShape;
  isRequired: boolean;
  isNullable: boolean;
  /** Only one value is possible. */
  isConstant: boolean;
}

/** Whether a model has to give the field: null is as good as nothing for a model. */
export function isNeeded({ isRequired, isNullable }: ToolField): boolean {
  return isRequired && !isNullable;
}

/** Shapes that a model copies from an answer and never writes: their fields need no words. */
const copied = new Set(
  ['ArtifactRef', 'SourceRef', 'MemoryCitation', 'Citation'].map((id) => `#/$defs/${id}`),
);

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Definitions = Record<string, JsonSchema>;

/** Reads the shape of an input. Throws for one that no tool schema describes. */
export function toolShapeOf(shape: z.ZodType): ToolShape {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return readShape(schema, (schema.$defs ?? {}) as Definitions).shape;
}

function readShape(given: JsonSchema, definitions: Definitions): { shape: ToolShape; isNullable: boolean } {
  const schema = resolve(given, definitions);
  const members = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  const { shape, isNullable } =
    members === undefined
      ? { shape: readPlain(schema, definitions), isNullable: schema.type === 'null' }
      : readUnion(schema, members, definitions);
  const value = defaultOf(schema);
  if (value !== undefined) shape.default = value;
  const isCopied = given.$ref !== undefined && copied.has(given.$ref);
  return { shape: isCopied ? withoutWords(shape, shape.description) : shape, isNullable };
}

/** A reference with what it refers to in its place. */
function resolve(schema: JsonSchema, definitions: Definitions): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const definition = definitions[$ref.replace('#/$defs/', '')];
  if (definition === undefined) throw new Error(`There is no definition ${$ref}.`);
  return { ...resolve(definition, definitions), ...own };
}

function readUnion(schema: JsonSchema, members: JsonSchema[], definitions: Definitions) {
  const read = members.map((member) => readShape(member, definitions));
  const [first, ...others] = read.filter(({ shape }) => shape.type !== 'free').map(({ shape }) => shape);
  const shape: ToolShape =
    first === undefined ? { type: 'free', description: '' } : others.reduce(unite, first);
  const description = describe(schema, shape.description);
  return { shape: { ...shape, description }, isNullable: read.some((member) => member.isNullable) };
}

function readPlain(schema: JsonSchema, definitions: Definitions): ToolShape {
  const description = describe(schema);
  switch (schema.type) {
    case 'object':
      return readObject(schema, definitions, description);
    case 'array': {
      const { shape: items } = readShape((schema.items ?? {}) as JsonSchema, definitions);
      return { type: 'array', items, description };
    }
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean': {
      const values = (schema.const === undefined ? schema.enum : [schema.const]) as Values | undefined;
      return { type: schema.type, description, ...(values && { values }) };
    }
    default:
      return { type: 'free', description };
  }
}

function readObject(schema: JsonSchema, definitions: Definitions, description: string): ToolShape {
  const entries = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  if (entries.length === 0) return { type: 'free', description };
  const fields = entries.map(([name, property]): [string, ToolField] => {
    const isConstant = resolve(property, definitions).const !== undefined;
    const isRequired = schema.required?.includes(name) ?? false;
    return [name, { ...readShape(property, definitions), isConstant, isRequired }];
  });
  return { type: 'object', fields: Object.fromEntries(fields), description };
}

function withoutWords(shape: ToolShape, description = ''): ToolShape {
  if (shape.type !== 'object') return { ...shape, description };
  const fields = Object.entries(shape.fields).map(([name, field]): [string, ToolField] => [
    name,
    { ...field, shape: withoutWords(field.shape) },
  ]);
  return { ...shape, fields: Object.fromEntries(fields), description };
}

/** One shape for the values of both. Throws where they have different types. */
function unite(left: ToolShape, right: ToolShape): ToolShape {
  const description = left.description === '' ? right.description : left.description;
  if (left.type === 'object' && right.type === 'object')
    return { type: 'object', fields: uniteFields(left.fields, right.fields), description };
  if (left.type === 'array' && right.type === 'array')
    return { type: 'array', items: unite(left.items, right.items), description };
  if (isScalar(left) && isScalar(right) && left.type === right.type) {
    const values = left.values && right.values && [...new Set([...left.values, ...right.values])];
    return { type: left.type, description, ...(values && { values }) };
  }
  throw new Error(`No tool schema describes a value that is ${left.type} or ${right.type}.`);
}

function isScalar(shape: ToolShape): shape is { description: string; type: Scalar; values?: Values } {
  return shape.type !== 'object' && shape.type !== 'array' && shape.type !== 'free';
}

/** All fields of both; required are those that both require. */
function uniteFields(
  left: Record<string, ToolField>,
  right: Record<string, ToolField>,
): Record<string, ToolField> {
  const united: Record<string, ToolField> = { ...left, ...right };
  for (const [name, field] of Object.entries(united)) {
    const [one, other] = [left[name], right[name]];
    united[name] =
      one === undefined || other === undefined
        ? { ...field, isRequired: false }
        : {
            shape: unite(one.shape, other.shape),
            isRequired: one.isRequired && other.isRequired,
            isNullable: one.isNullable || other.isNullable,
            isConstant: false,
          };
  }
  return united;
}

/** The description of a schema, with its bounds in words. */
function describe(schema: JsonSchema, inner = ''): string {
  const own = schema.description ?? inner;
  const bounds = boundsOf(schema);
  return [own, own.includes(bounds) ? '' : bounds].filter((part) => part !== '').join(' ');
}

function boundsOf(schema: JsonSchema): string {
  const { type, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  switch (type) {
    case 'string':
      return range(minLength, (maxLength ?? 0) > longText ? undefined : maxLength, ' characters');
    case 'array':
      return range(minItems, (maxItems ?? 0) > longList ? undefined : maxItems, ' items');
    case 'integer':
    case 'number':
      return range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, '');
    default:
      return '';
  }
}

/** Lengths above which no description says the limit: a text seldom meets it, and a refusal names it. */
const longText = 4096;
/** The same of a list, in items. */
const longList = 15;

/** A length of at least 1 goes without saying. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const isLower = least !== undefined && (unit === '' || least > 1);
  if (most === undefined) return isLower && least > 1 ? `At least ${least}${unit}.` : '';
  return isLower ? `${least} to ${most}${unit}.` : `At most ${most}${unit}.`;
}

/** None for what its description says, and for a constant, a list or an object. */
function defaultOf({ default: value, const: constant, description = '' }: JsonSchema): Default | undefined {
  const isSaid = constant !== undefined || /\bdefault\b/i.test(description);
  return isSaid || value === null || typeof value === 'object' ? undefined : (value as Default | undefined);
}
