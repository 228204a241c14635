/** The members of `column` (kernel/database/columns.ts) by PostgreSQL type. */
const columns = {
  smallint: 'smallint',
  integer: 'integer',
  bigint: 'bigint',
  real: 'real',
  'double precision': 'double',
  text: 'text',
  uuid: 'uuid',
  boolean: 'boolean',
  bytea: 'bytea',
  jsonb: 'jsonb',
  date: 'date',
  'timestamp(3) with time zone': 'timestamptz',
};

/**
 * The text of generated/tables.ts: the columns of each table, from which statements declare the rows that they answer.
 *
 * @param {Awaited<ReturnType<typeof import('./prisma-schema.mjs').readPrismaModels>>} models
 */
export function tableColumns(models) {
  const tables = models.map(
    ({ table, fields }) => `  ${table}: {\n${fields.map(columnLine).join('\n')}\n  },`,
  );
  return `// Generated from prisma/schema by scripts/generate.mjs.
import { column } from '../kernel/database/columns.ts';

/** The columns of each table. */
export const tables = {
${tables.join('\n')}
};
`;
}

function columnLine({ column, type, key, isList, isNullable }) {
  const member = key === undefined ? columns[type] : key[0].toLowerCase() + key.slice(1);
  if (member === undefined) throw new Error(`kernel/database/columns.ts has no column of type ${type}.`);
  return `    ${column}: column.${member}${isList ? '.array()' : ''}${isNullable ? '.orNull()' : ''},`;
}
