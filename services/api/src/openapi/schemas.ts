import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Schema } from './types.ts';

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
