import { column, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { documentsOfScope } from '../documents/index.ts';
import { entriesOfScope } from './search/index.ts';

const countStatement = statement(
  'count_recallable',
  `SELECT ${entriesOfScope('s')} + ${documentsOfScope('s', 'experience')} AS total
   FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = $2`,
  { total: column.bigint },
);

/** Whether a Scope has an active entry or an approved Experience (spec 25 Q18); false for an unknown Scope. */
export async function hasMemory(sql: Sql, tenantId: TenantId, scopeId: string): Promise<boolean> {
  const row = await sql.first(countStatement, [tenantId, scopeId]);
  return row !== undefined && row.total > 0;
}
