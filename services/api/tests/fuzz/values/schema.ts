import type { OperationSpec } from '@continuity/contract';
import { z } from 'zod';

/** As much of JSON Schema 2020-12 as Zod writes for a request. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: boolean | Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** Schemas without references: each `$ref` is answered by `open`, so that recursion costs only where it is followed. */
export interface Shape {
  schema: Schema;
  open(schema: Schema): Schema;
}

export const parts = ['params', 'query', 'headers', 'body'] as const;
export type Part = (typeof parts)[number];

const known = new WeakMap<z.ZodType, Shape>();

/** The request shape of one part of an operation; undefined where the operation has none. */
export function shapeOf(operation: OperationSpec, part: Part): Shape | undefined {
  const declared = operation[part];
  if (declared === undefined) return undefined;
  const shape = known.get(declared) ?? convert(declared);
  known.set(declared, shape);
  const { precondition } = operation;
  if (part !== 'headers' || precondition === undefined) return shape;
  return { ...shape, schema: { ...shape.schema, required: [precondition] } };
}

function convert(declared: z.ZodType): Shape {
  const root = z.toJSONSchema(declared, { io: 'input', unrepresentable: 'any' }) as Schema;
  const open = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema.allOf === undefined ? schema : merge(schema, open);
    const name = schema.$ref.replace('#/$defs/', '');
    const target = name === '#' ? root : root.$defs?.[name];
    if (target === undefined)
      throw new Error(`A request schema refers to ${schema.$ref}, which is not there.`);
    return open(target);
  };
  return { schema: open(root), open };
}

function merge({ allOf = [], ...own }: Schema, open: (schema: Schema) => Schema): Schema {
  const all = [own, ...allOf.map(open)];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}

/** True for an operation that can succeed without having seen an answer: no required field of it is a reference. */
export function isBeginning(operation: OperationSpec): boolean {
  return parts.every((part) => {
    const shape = shapeOf(operation, part);
    const { properties = {}, required = [] } = shape?.schema ?? {};
    const isReference = (name: string) => shape?.open(properties[name] ?? {}).additionalProperties === false;
    return operation.method !== 'GET' && !required.some(isReference);
  });
}

/** The types that a schema allows; empty for any. */
export function typesOf({ type, enum: values, const: value }: Schema): string[] {
  if (type !== undefined) return [type].flat();
  const listed = value === undefined ? values : [value];
  return [...new Set((listed ?? []).map((one) => (one === null ? 'null' : typeof one)))];
}

/** What an object with exactly these fields is known by, whatever the field that holds it is called. */
export function signatureOf(keys: readonly string[]): string {
  return `{${[...keys].sort().join(' ')}}`;
}
