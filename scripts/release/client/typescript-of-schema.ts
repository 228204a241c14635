import type { Schema } from '../../../services/api/src/openapi/schemas.ts';

/**
 * The TypeScript type of a JSON Schema as the API document has them. A reference is the name of its component. Bounds and patterns are
 * not part of a type.
 */
export function typeOfSchema(schema: Schema): string {
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const options = (anyOf ?? oneOf) as Schema[] | undefined;
  if (options !== undefined) return joined(options.map(typeOfSchema), ' | ');
  if (Array.isArray(allOf)) return joined((allOf as Schema[]).map(typeOfSchema), ' & ');
  if (Array.isArray(type))
    return joined(
      type.map((one) => typeOfSchema({ ...schema, type: one })),
      ' | ',
    );
  if (type === 'array') return arrayOf(schema);
  if (type === 'object') return objectOf(schema);
  return primitives[String(type)] ?? 'unknown';
}

const primitives: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function joined(types: string[], by: ' | ' | ' & '): string {
  return types.length === 1 ? (types[0] ?? 'unknown') : `(${[...new Set(types)].join(by)})`;
}

function arrayOf({ items, prefixItems }: Schema): string {
  if (Array.isArray(prefixItems)) return `[${(prefixItems as Schema[]).map(typeOfSchema).join(', ')}]`;
  return `(${typeOfSchema((items ?? {}) as Schema)})[]`;
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  if (fields.length > 0) {
    const needed = new Set(required as string[]);
    return `{ ${fields.map(([name, schema]) => fieldOf(name, schema, needed.has(name))).join(' ')} }`;
  }
  if (properties !== undefined && additionalProperties === false) return 'Record<string, never>';
  const values = typeof additionalProperties === 'object' ? typeOfSchema(additionalProperties as Schema) : '';
  return `Record<string, ${values || 'unknown'}>`;
}

/** A caller may pass `undefined` for what is optional, also with `exactOptionalPropertyTypes`. */
function fieldOf(name: string, schema: Schema, isNeeded: boolean): string {
  const { description } = schema;
  const words = typeof description === 'string' ? `/** ${description.replaceAll('*/', '*\\/')} */ ` : '';
  const type = typeOfSchema(schema);
  return `${words}${JSON.stringify(name)}${isNeeded ? '' : '?'}: ${type}${isNeeded ? '' : ' | undefined'};`;
}
