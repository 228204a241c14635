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

/** Values of an enumeration above which a schema lists none: it would cost a model more than a refusal. */
const maxValues = 32;

/**
 * Describes a shape as a schema: nullable is optional, an optional constant and what is free are left out. Null where nothing can be
 * described.
 */
export function toToolSchema(shape: ToolShape): ToolSchema | null {
  const description = describe(shape);
  switch (shape.type) {
    case 'free':
      return null;
    case 'array': {
      const items = toToolSchema(shape.items);
      return items && { type: 'array', ...description, items };
    }
    case 'object':
      return describeObject(shape, description);
    default: {
      const { type, values = [] } = shape;
      const isListed = values.length > 0 && values.length <= maxValues;
      return { type, ...description, ...(isListed && { enum: values }) };
    }
  }
}

/** The description, with the default in words; nothing where there is neither. */
function describe({ description, default: value }: ToolShape): { description?: string } {
  const byDefault =
    value === undefined ? '' : `Default ${typeof value === 'string' ? `\`${value}\`` : value}.`;
  const words = [description, byDefault].filter((part) => part !== '').join(' ');
  return words === '' ? {} : { description: words };
}

function describeObject(
  { fields }: ToolShape & { type: 'object' },
  description: { description?: string },
): ToolSchema | null {
  const shown = Object.entries(fields)
    .filter(([, field]) => isNeeded(field) || !field.isConstant)
    .flatMap(([name, field]) => {
      const schema = toToolSchema(field.shape);
      return schema === null ? [] : [{ name, schema, isNeeded: isNeeded(field) }];
    });
  if (shown.length === 0) return null;
  const properties = Object.fromEntries(shown.map(({ name, schema }) => [name, schema]));
  const required = shown.filter((field) => field.isNeeded).map(({ name }) => name);
  return { type: 'object', ...description, properties, ...(required.length > 0 && { required }) };
}
