// Reads the Prisma schema: its models with their tables, and the fields with their columns.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, schemaFiles } from './toolchain.mjs';

/** PostgreSQL types of Prisma's scalar types, as `format_type` spells them. */
const scalarTypes = {
  Int: 'integer',
  BigInt: 'bigint',
  String: 'text',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  Float: 'double precision',
};

/** PostgreSQL types of the `@db` attributes. */
const nativeTypes = {
  Uuid: 'uuid',
  SmallInt: 'smallint',
  Real: 'real',
  Date: 'date',
  'Timestamptz(3)': 'timestamp(3) with time zone',
};

/** Types of keys by the end of a column's name. */
export const keyTypes = {
  tenant_id: 'TenantId',
  scope_key: 'ScopeKey',
  artifact_key: 'ArtifactKey',
};

/**
 * The models of the schema. Throws for a type without a known PostgreSQL name.
 *
 * @returns {Promise<{ model: string, table: string, fields: Field[] }[]>}
 * @typedef {{ field: string, column: string, scalar: string, type: string, key: string | undefined, isList: boolean,
 *   isNullable: boolean }} Field `key` is the type of the key.
 */
export async function readPrismaModels() {
  const texts = await Promise.all(schemaFiles().map((file) => readFile(join(root, file), 'utf8')));
  const schema = texts.join('\n');
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  const names = new Set(models.map(([, model]) => model));
  return models.map(([, model, body]) => ({
    model,
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
    fields: [...body.matchAll(/^ +(\w+) +(\w+|Unsupported\("[^"]+"\))(\[\]|\?)?(.*)$/gm)]
      .filter(([, , type]) => !names.has(type))
      .map(([, field, scalar, mark, attributes]) => {
        const column = /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field;
        return {
          field,
          column,
          scalar,
          type: postgresType(scalar, attributes),
          key: Object.entries(keyTypes).find(([suffix]) => `_${column}`.endsWith(`_${suffix}`))?.[1],
          isList: mark === '[]',
          isNullable: mark === '?',
        };
      }),
  }));
}

function postgresType(scalar, attributes) {
  const unsupported = /^Unsupported\("([^"]+)"\)$/.exec(scalar)?.[1];
  const native = /@db\.(\w+(?:\([\d, ]+\))?)/.exec(attributes)?.[1];
  const type = unsupported ?? (native === undefined ? scalarTypes[scalar] : nativeTypes[native]);
  if (type === undefined) throw new Error(`No PostgreSQL type is known for ${native ?? scalar}.`);
  return type;
}
