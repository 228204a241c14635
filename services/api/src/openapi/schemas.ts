import { isDeepStrictEqual } from 'node:util';
import type { Example as ContractExample } from '@continuity/contract';
import { z } from 'zod';

/** The parts of OpenAPI 3.1 that the document uses. Schemas are JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

export interface Reference {
  $ref: string;
}

export interface Example {
  summary?: string;
  value: unknown;
}

interface MediaType {
  schema: Schema;
  examples?: Record<string, Example>;
}

export type Content = Record<string, MediaType>;

export interface Header {
  description: string;
  required: boolean;
  schema: Schema;
  example?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface ApiResponse {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Content;
}

export interface ApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** Largest request body in bytes. */
  'x-max-body-bytes'?: number;
  responses: Record<string, ApiResponse | Reference>;
}

interface Components {
  schemas: Record<string, Schema>;
  responses: Record<string, ApiResponse>;
  headers: Record<string, Header>;
  securitySchemes?: Record<string, Record<string, string>>;
}

export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security?: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: Components;
}

/** Direction of a shape: in requests (`input`) defaults make fields optional. */
type Direction = 'input' | 'output';

/** Zod types that have no JSON Schema, but are described by their `.meta()`. */
const describedByMeta = new Set(['custom', 'transform', 'unknown', 'any']);

/** JSON Schemas of Zod shapes. A shape with an id becomes a component, and every use of it a reference. */
export class SchemaCollection {
  readonly components: Record<string, Schema> = {};

  /** Throws for a shape without a description, or for two shapes with one id. */
  schemaOf(shape: z.ZodType, io: Direction): Schema {
    const {
      $schema: _dialect,
      $defs = {},
      ...schema
    } = z.toJSONSchema(shape, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema, path }) => {
        if (Object.keys(jsonSchema).length > 0 || describedByMeta.has(zodSchema._zod.def.type)) return;
        throw new Error(`The shape at ${path.join('.')} has no JSON Schema.`);
      },
    });
    for (const [id, definition] of Object.entries($defs)) this.#add(id, toComponents(definition as Schema));
    return toComponents(schema);
  }

  #add(id: string, schema: Schema): void {
    if (id.startsWith('__')) throw new Error('A recursive shape needs an id; or use `json`.');
    const known = this.components[id];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`The id ${id} names two shapes, or one that differs between request and response.`);
    }
    this.components[id] = schema;
  }
}

/** Rewrites references to `$defs` as references to components. */
function toComponents(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  ) as Schema;
}

/** The examples of one body, by a key derived from their summary. */
export function bodyExamples(
  examples: ContractExample[],
  bodyOf: (example: ContractExample) => unknown,
): { examples?: Record<string, Example> } {
  const named = examples
    .filter((example) => bodyOf(example) !== undefined)
    .map((example): [string, Example] => [
      toKey(example.summary),
      { summary: example.summary, value: bodyOf(example) },
    ]);
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

/** `The first page` → `the-first-page` */
function toKey(summary: string): string {
  return summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
