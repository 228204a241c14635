import { keyTypes } from './prisma-schema.mjs';

/** The members of `column` (database/columns.ts of the kernel) by PostgreSQL type. */
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
  const keys = Object.values(keyTypes)
    .filter((type) => type !== 'TenantId')
    .sort()
    .join(', ');
  const tables = models.map(
    ({ table, fields }) => `  ${table}: {\n${fields.map(columnLine).join('\n')}\n  },`,
  );
  return `// Generated from prisma/schema by scripts/generate.mjs.
import { column } from '../database/columns.ts';
import type { ${keys} } from './keys.ts';

/** The columns of each table. */
export const tables = {
${tables.join('\n')}
};
`;
}

function columnLine({ column, type, key, isList, isNullable }) {
  const member = key === 'TenantId' ? 'tenantId' : columns[type];
  if (member === undefined) throw new Error(`database/columns.ts has no column of type ${type}.`);
  const as = key === undefined || key === 'TenantId' ? '' : `.as<${key}>()`;
  return `    ${column}: column.${member}${as}${isList ? '.array()' : ''}${isNullable ? '.orNull()' : ''},`;
}

/** The text of generated/keys.ts: a type for each kind of key that the columns of areas hold. */
export function keyDeclarations() {
  const declarations = Object.entries(keyTypes)
    .filter(([, type]) => type !== 'TenantId')
    .map(
      ([suffix, type]) =>
        `/** A column whose name ends in \`${suffix}\`. No caller sees it. */\nexport type ${type} = Key<'${suffix}'>;\n`,
    );
  return `// Generated from prisma/schema by scripts/generate.mjs.
import type { Key } from '../database/columns.ts';

${declarations.join('\n')}`;
}
