import type { OperationSpec } from '@continuity/contract';
import type { z } from 'zod';
import type { Header, Parameter, Reference, Schema, SchemaCollection } from './schemas.ts';

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

type Headers = Record<string, Header | Reference>;

/** Shared response headers. */
export const sharedHeaders = {
  'X-Service-Request-ID': {
    description: 'Id of the request in logs and traces. Name it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'Retry-After': {
    description: 'Seconds after which you can retry.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'RateLimit-Limit': {
    description:
      'Requests that the tenant may send in a minute. On every answer, if the operator limits them.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '600',
  },
  'RateLimit-Remaining': {
    description: 'Remaining requests until the count restarts.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '0',
  },
  'RateLimit-Reset': {
    description: 'Seconds until the count restarts.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '12',
  },
} as const satisfies Record<string, Header>;

type SharedHeader = keyof typeof sharedHeaders;

/** Headers of an error status besides the request id (spec 00 §3). */
const headersOfStatus: Record<number, SharedHeader[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
};

/** Headers of an error answer. */
export function errorHeaders(status: number): Headers {
  return references(['X-Service-Request-ID', ...(headersOfStatus[status] ?? [])]);
}

/** Headers of a success answer: the shared and the declared ones. */
export function successHeaders(declared: Record<string, string> = {}): Headers {
  const own = Object.entries(declared).map(([name, description]): [string, Header] => [
    name,
    { description, required: true, schema: { type: 'string' } },
  ]);
  return { ...references(['X-Service-Request-ID']), ...Object.fromEntries(own) };
}

function references(names: SharedHeader[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
