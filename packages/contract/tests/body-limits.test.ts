import { bodyLimitOf, maxBodyValuesOf } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { expect, test } from 'vitest';
import { z } from 'zod';

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  maxLength?: number;
  pattern?: string;
  contentEncoding?: string;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  maxProperties?: number;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
}

/** Bytes and JSON values of the largest body of a shape, with 4 bytes a character. JSON of any shape counts as nothing. */
function largest(schema: Schema, defs: Record<string, Schema>): { bytes: number; values: number } {
  const sizeOf = (part: Schema = {}) => largest(part, defs);
  if (schema.$ref !== undefined) return sizeOf(defs[schema.$ref.split('/').at(-1) ?? '']);
  const choices = (schema.anyOf ?? schema.oneOf)?.map(sizeOf);
  if (choices !== undefined) {
    return {
      bytes: Math.max(...choices.map(({ bytes }) => bytes)),
      values: Math.max(...choices.map(({ values }) => values)),
    };
  }
  if (schema.type === 'string') {
    const isAscii = schema.contentEncoding === 'base64' || (schema.pattern?.startsWith('^[\\x21') ?? false);
    return { bytes: 2 + (isAscii ? 1 : 4) * (schema.maxLength ?? 0), values: 1 };
  }
  if (schema.type === 'array') {
    const { bytes, values } = sizeOf(schema.items);
    const count = schema.maxItems ?? 0;
    return { bytes: 2 + count * (bytes + 1), values: 1 + count * values };
  }
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, ...sizeOf(field) }));
  const entries = schema.maxProperties ?? 0;
  const entryBytes = entries === 0 ? 0 : bytesOfEntry(schema, defs);
  return {
    bytes: fields.reduce((sum, { name, bytes }) => sum + name.length + bytes + 4, 16 + entries * entryBytes),
    values: fields.reduce((sum, { values }) => sum + values, 1 + entries),
  };
}

/** Bytes of the largest entry of a map of strings. */
function bytesOfEntry({ propertyNames, additionalProperties }: Schema, defs: Record<string, Schema>): number {
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return largest({ type: 'string', ...propertyNames }, defs).bytes + largest(value, defs).bytes + 2;
}

/** Their records have at most 1 MiB of canonical JSON, which is less than their shapes allow. */
const boundedAsWhole = new Set(['create_work_contract', 'handoff_current_work', 'record_task_outcome']);

test.each(operations.flatMap((operation) => (operation.body === undefined ? [] : [operation])))(
  'the largest body that the shape of $id allows is within its limits',
  (operation) => {
    const schema = z.toJSONSchema(operation.body as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
    }) as Schema & {
      $defs?: Record<string, Schema>;
    };
    const { bytes, values } = largest(schema, schema.$defs ?? {});
    expect(values).toBeLessThanOrEqual(maxBodyValuesOf(operation));
    if (!boundedAsWhole.has(operation.id)) expect(bytes).toBeLessThanOrEqual(bodyLimitOf(operation));
  },
);
