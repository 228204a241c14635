import type { OperationSpec } from '@continuity/contract';
import { z } from 'zod';

/** The keywords of JSON Schema 2020-12 that Zod generates for requests. */
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

/** Resolves each `$ref` on demand, so that a recursive schema is expanded only as far as it is used. */
export interface Shape {
  schema: Schema;
  open(schema: Schema): Schema;
}

export const parts = ['params', 'query', 'headers', 'body'] as const;
export type Part = (typeof parts)[number];

const known = new WeakMap<z.ZodType, Shape>();

/** The shape of one part of an operation's request; undefined if the operation has no such part. */
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

/** Whether an operation can succeed without values of earlier answers: it has no required reference. */
export function isBeginning(operation: OperationSpec): boolean {
  return parts.every((part) => {
    const shape = shapeOf(operation, part);
    const { properties = {}, required = [] } = shape?.schema ?? {};
    const isReference = (name: string) => shape?.open(properties[name] ?? {}).additionalProperties === false;
    return operation.method !== 'GET' && !required.some(isReference);
  });
}

/** The types that a schema allows; empty if it allows any. */
export function typesOf({ type, enum: values, const: value }: Schema): string[] {
  if (type !== undefined) return [type].flat();
  const listed = value === undefined ? values : [value];
  return [...new Set((listed ?? []).map((one) => (one === null ? 'null' : typeof one)))];
}

/** A key for objects with exactly these fields, independent of the name of the containing field. */
export function signatureOf(keys: readonly string[]): string {
  return `{${[...keys].sort().join(' ')}}`;
}
