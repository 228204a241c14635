import type { OperationSpec } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import { z } from 'zod';

/** A field of a request: of the path, the query or the body. */
interface Field {
  name: string;
  is_required: boolean;
  /** Type and limits in words. */
  type: string;
  description: string;
}

export interface OperationFields {
  operation: string;
  /** Method and path. */
  request: string;
  summary: string;
  fields: Field[];
  /** A request; null for an operation without one. */
  example: Record<string, unknown> | null;
}

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  $defs?: Record<string, Schema>;
}

/** The fields of an operation, from the contract. */
export function describeFields(id: string): OperationFields {
  const spec = (operationTable as Record<string, OperationSpec>)[id];
  if (spec === undefined) throw new TypeError(`no operation ${id}`);
  const { method, path, summary, params, query, body, examples } = spec;
  const [example] = (examples ?? []) as { params?: object; query?: object; body?: object }[];
  const request = { ...example?.params, ...example?.query, ...example?.body };
  return {
    operation: id,
    request: `${method} ${path}`,
    summary,
    fields: [params, query, body].flatMap((shape) => (shape === undefined ? [] : fieldsOf(shape))),
    example: Object.keys(request).length === 0 ? null : request,
  };
}

/** The fields of an object; for one of several forms, those of all forms, required if each form requires them. */
function fieldsOf(shape: z.ZodType): Field[] {
  const root = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema;
  const definitions = root.$defs ?? {};
  const forms = formsOf(root, definitions);
  const fields = new Map<string, Field>();
  for (const { properties = {} } of forms) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = fields.get(name);
      const type = typeOf(schema, definitions);
      if (known !== undefined && known.type !== type && !known.type.split(' | ').includes(type))
        known.type = `${known.type} | ${type}`;
      if (known !== undefined) continue;
      const is_required = forms.every(({ required = [] }) => required.includes(name));
      const about = schema.description ?? resolve(schema, definitions).description ?? '';
      const description =
        schema.default === undefined ? about : `${about} Default: ${JSON.stringify(schema.default)}.`.trim();
      fields.set(name, { name, is_required, type, description });
    }
  }
  return [...fields.values()];
}

function formsOf(schema: Schema, definitions: Record<string, Schema>): Schema[] {
  const resolved = resolve(schema, definitions);
  const forms = resolved.anyOf ?? resolved.oneOf;
  return forms === undefined ? [resolved] : forms.flatMap((one) => formsOf(one, definitions));
}

function resolve(schema: Schema, definitions: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolve(definitions[name] ?? {}, definitions);
}

/** Type and limits in words, such as `text, 1 to 256 characters`. Objects name their fields, one level deep. */
function typeOf(given: Schema, definitions: Record<string, Schema>, isNested = false): string {
  const schema = resolve(given, definitions);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined)
    return [...new Set(forms.map((one) => typeOf(one, definitions, isNested)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  switch (schema.type) {
    case 'string':
      return `text${rangeOf(schema.minLength, schema.maxLength, ' characters')}`;
    case 'integer':
      return `whole number${rangeOf(schema.minimum, schema.maximum, '')}`;
    case 'number':
      return `number${rangeOf(schema.minimum, schema.maximum, '')}`;
    case 'array': {
      const item = schema.items === undefined ? 'value' : typeOf(schema.items, definitions, isNested);
      return `list${rangeOf(schema.minItems, schema.maxItems, ' items')} of (${item})`;
    }
    case 'object':
      return isNested ? 'object' : objectOf(schema, definitions);
    default:
      return schema.type ?? 'any JSON value';
  }
}

function objectOf({ properties, required = [] }: Schema, definitions: Record<string, Schema>): string {
  if (properties === undefined) return 'object';
  const names = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, definitions, true)}`,
  );
  return `{ ${names.join(', ')} }`;
}

/** Limits; JSON Schema gives a whole number the limits of a double, which say nothing. */
function rangeOf(min: number | undefined, max: number | undefined, unit: string): string {
  const isLimit = (limit: number | undefined) =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  if (isLimit(min) && isLimit(max)) return `, ${min} to ${max}${unit}`;
  if (isLimit(max)) return `, at most ${max}${unit}`;
  return isLimit(min) && min !== 0 ? `, at least ${min}${unit}` : '';
}
