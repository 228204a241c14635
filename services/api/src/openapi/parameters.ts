import type { OperationSpec } from '@continuity/contract';
import type { z } from 'zod';
import type { SchemaCollection } from './schemas.ts';
import type { Parameter, Schema } from './types.ts';

/** The `Prefer` header (RFC 7240) of every operation that runs as a job (spec 00 §7). */
const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: '`respond-async` answers 202 with the job at once, instead of waiting for its result.',
  schema: { type: 'string' },
  example: 'respond-async',
};

/** Path, query and header parameters, in this order. */
export function parametersOf(operation: OperationSpec, schemas: SchemaCollection): Parameter[] {
  return [
    ...fromShape('path', operation.params, operation, schemas),
    ...fromShape('query', operation.query, operation, schemas),
    ...fromShape('header', operation.headers, operation, schemas),
    ...(operation.run === 'direct' ? [] : [prefer]),
  ];
}

function fromShape(
  place: Parameter['in'],
  shape: z.ZodObject | undefined,
  operation: OperationSpec,
  schemas: SchemaCollection,
): Parameter[] {
  if (shape === undefined) return [];
  const { properties, required = [] } = schemas.schemaOf(shape, 'input') as {
    properties: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([key, { description, ...schema }]) => {
    const name = place === 'header' ? toHeaderCase(key) : key;
    const example = operation.examples.find(({ parameters }) => parameters?.[name] !== undefined);
    return {
      name,
      in: place,
      required: required.includes(key) || key === operation.precondition,
      ...(typeof description === 'string' && { description }),
      schema,
      ...(example && { example: readExample(example.parameters?.[name], schema) }),
    };
  });
}

/** Examples are strings as sent; this converts those of numbers. */
function readExample(sent: string | undefined, schema: Schema): unknown {
  return schema['type'] === 'integer' || schema['type'] === 'number' ? Number(sent) : sent;
}

/** `idempotency-key` → `Idempotency-Key` */
function toHeaderCase(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
