import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';

/** The Source types that need no definition (spec 10 §11.4). */
export const builtInSourceTypes = [
  'content',
  'skill-usage',
  'skill-package-upload',
  'external-skill-snapshot',
] as const;

const findType = statement(
  'find_source_type',
  'SELECT name FROM source_definitions WHERE tenant_id = $1 AND name = $2 LIMIT 1',
  pick(tables.source_definitions, 'name'),
);

/** Loose index scan: one row per name, whatever the number of versions. */
const listTypes = statement(
  'list_source_types',
  `WITH RECURSIVE types AS (
     (SELECT name FROM source_definitions WHERE tenant_id = $1 ORDER BY name LIMIT 1)
     UNION ALL
     SELECT (SELECT d.name FROM source_definitions d WHERE d.tenant_id = $1 AND d.name > t.name ORDER BY d.name LIMIT 1)
     FROM types t WHERE t.name IS NOT NULL
   )
   SELECT name FROM types WHERE name IS NOT NULL`,
  { name: column.text },
);

/** Throws 422 for a Source type that is neither built in nor registered in the tenant. */
export async function checkSourceType(sql: Sql, tenantId: TenantId, sourceType: string): Promise<void> {
  if ((builtInSourceTypes as readonly string[]).includes(sourceType)) return;
  if ((await sql.first(findType, [tenantId, sourceType])) !== undefined) return;
  const message = `must be one of ${builtInSourceTypes.join(', ')}, or a registered type`;
  throw invalidRequest([{ path: 'source_type', message }]);
}

/** Lists the names of the tenant's Source definitions, ascending by code point. */
export async function listSourceTypes(sql: Sql, tenantId: TenantId): Promise<string[]> {
  return (await sql.rows(listTypes, [tenantId])).map(({ name }) => name);
}
