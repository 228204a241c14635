/** Conversion of a field's value by its scalar type; other types need none. */
const conversions = {
  BigInt: 'safeInteger',
  Bytes: 'asBuffer',
};

/**
 * The text of generated/prisma-results.ts: a Prisma Client extension by which models have the types that statements answer,
 * `number` for `bigint`, `Buffer` for `bytea`, and the types of keys.
 *
 * @param {Awaited<ReturnType<typeof import('./prisma-schema.mjs').readPrismaModels>>} models
 */
export function prismaResults(models) {
  const results = models
    .map(({ model, fields }) => ({ model, fields: fields.flatMap(resultField) }))
    .filter(({ fields }) => fields.length > 0)
    .map(({ model, fields }) => `    ${lowerFirst(model)}: {\n${fields.join('\n')}\n    },`);
  const tenantModels = models
    .filter(({ model, fields }) => model !== 'Tenant' && fields.some(({ field }) => field === 'tenantId'))
    .map(({ model }) => `'${model}'`);
  return `// Generated from prisma/schema by scripts/generate.mjs.
import { asBuffer } from '../threads/thread.ts';
import { safeInteger } from '../database/columns.ts';
import type { TenantId } from '../database/columns.ts';
import type { ArtifactKey, ScopeKey } from './keys.ts';
import { Prisma } from './prisma/client.ts';

/** Models have the types that statements answer: \`number\` for \`bigint\`, \`Buffer\` for \`bytea\`, and key types. */
export const prismaResults = Prisma.defineExtension({
  result: {
${results.join('\n')}
  },
});

/** Models whose rows belong to a tenant. */
export const tenantModels: ReadonlySet<string> = new Set([${tenantModels.join(', ')}]);
`;
}

function resultField({ field, scalar, key, isList, isNullable }) {
  const convert = conversions[scalar];
  if (convert === undefined && key === undefined) return [];
  const of = (value) =>
    [convert === undefined ? value : `${convert}(${value})`, key].filter(Boolean).join(' as ');
  const value = `row.${field}`;
  const converted = isList
    ? `${value}.map((item) => ${of('item')})`
    : isNullable
      ? `${value} === null ? null : ${of(value)}`
      : of(value);
  return [`      ${field}: { needs: { ${field}: true }, compute: (row) => ${converted} },`];
}

function lowerFirst(name) {
  return name[0].toLowerCase() + name.slice(1);
}
