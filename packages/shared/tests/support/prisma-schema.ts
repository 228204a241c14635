import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const schemaFile = fileURLToPath(new URL('../../../../prisma/schema.prisma', import.meta.url));

/** A column as PostgreSQL's `format_type` spells it. */
export interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

const scalarTypes: Record<string, string> = {
  Int: 'integer',
  BigInt: 'bigint',
  String: 'text',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  Float: 'double precision',
};

const nativeTypes: Record<string, string> = {
  Uuid: 'uuid',
  SmallInt: 'smallint',
  Real: 'real',
  Date: 'date',
  'Timestamptz(3)': 'timestamp(3) with time zone',
};

/** The columns that `schema.prisma` describes. Throws for a type that it has no PostgreSQL name for. */
export async function readPrismaColumns(): Promise<Column[]> {
  const schema = await readFile(schemaFile, 'utf8');
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({
    name,
    body,
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
  }));
  const names = new Set(models.map((model) => model.name));
  return models.flatMap(({ table, body }) =>
    [...body.matchAll(/^ +(\w+) +(\w+|Unsupported\("[^"]+"\))(\[\]|\?)?(.*)$/gm)]
      .filter(([, , type = '']) => !names.has(type))
      .map(([, field = '', type = '', mark, attributes = '']) => ({
        table,
        column: /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field,
        type: typeOf(type, attributes) + (mark === '[]' ? '[]' : ''),
        nullable: mark === '?',
      })),
  );
}

function typeOf(scalar: string, attributes: string): string {
  const unsupported = /^Unsupported\("([^"]+)"\)$/.exec(scalar)?.[1];
  const native = /@db\.(\w+(?:\([\d, ]+\))?)/.exec(attributes)?.[1];
  const type = unsupported ?? (native === undefined ? scalarTypes[scalar] : nativeTypes[native]);
  if (type === undefined) throw new Error(`What is ${native ?? scalar} in PostgreSQL?`);
  return type;
}
