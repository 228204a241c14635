import { isNeeded, type Scalar, type ToolShape } from './tool-shape.ts';

/** The part of JSON Schema that the converters of all known MCP clients take (spec 70 §5.1). */
export type ToolSchema = {
  type: Scalar | 'object' | 'array';
  description?: string;
  /** Of an object, at least one. */
  properties?: Record<string, ToolSchema>;
  required?: string[];
  /** Of an array. */
  items?: ToolSchema;
  enum?: (string | number | boolean)[];
};

/** Depth of an argument, in the object of all arguments. */
const argumentDepth = 1;

/** Values of an enumeration above which a schema lists none: it would cost a model more than a refusal. */
const maxValues = 32;

/**
 * Describes a shape as a schema: nullable is optional, an optional constant and what is free are left out. Null where nothing can be
 * described. A model reads the whole list at each turn, so what lies inside an argument names no default, and the items of an array with a
 * description have none of their own.
 */
export function toToolSchema(shape: ToolShape, depth = 0): ToolSchema | null {
  const description = describe(shape, depth);
  switch (shape.type) {
    case 'free':
      return null;
    case 'array': {
      const isSaid = description.description !== undefined;
      const items = toToolSchema(isSaid ? { ...shape.items, description: '' } : shape.items, depth + 1);
      return items && { type: 'array', ...description, items };
    }
    case 'object':
      return describeObject(shape, description, depth);
    default: {
      const { type, values = [] } = shape;
      const isListed = values.length > 0 && values.length <= maxValues;
      return { type, ...description, ...(isListed && { enum: values }) };
    }
  }
}

/** The description, with the default of an argument in words; nothing where there is neither. */
function describe({ description, default: value }: ToolShape, depth: number): { description?: string } {
  const byDefault =
    value === undefined || depth > argumentDepth
      ? ''
      : `Default ${typeof value === 'string' ? `\`${value}\`` : value}.`;
  const words = [description, byDefault].filter((part) => part !== '').join(' ');
  return words === '' ? {} : { description: words };
}

function describeObject(
  { fields }: ToolShape & { type: 'object' },
  description: { description?: string },
  depth: number,
): ToolSchema | null {
  const shown = Object.entries(fields)
    .filter(([, field]) => isNeeded(field) || !field.isConstant)
    .flatMap(([name, field]) => {
      const schema = toToolSchema(field.shape, depth + 1);
      return schema === null ? [] : [{ name, schema, isNeeded: isNeeded(field) }];
    });
  if (shown.length === 0) return null;
  const properties = Object.fromEntries(shown.map(({ name, schema }) => [name, schema]));
  const required = shown.filter((field) => field.isNeeded).map(({ name }) => name);
  return { type: 'object', ...description, properties, ...(required.length > 0 && { required }) };
}
