import {
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { headRevision } from '../../documents/index.ts';
import { scopeKey } from '../../scopes/index.ts';

/** Columns of a head in the library, besides its identity. */
export const shownColumns =
  'r.content, r.sources, r.artifacts, m.lifecycle_state, m.replacement_artifact_id, m.governance_generation';

/** The types of `shownColumns`. */
export const shownTypes = {
  ...pick(tables.artifact_revisions, 'content', 'sources', 'artifacts'),
  ...pick(tables.managed_skills, 'lifecycle_state', 'replacement_artifact_id', 'governance_generation'),
};

const row = {
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  ...shownTypes,
};

const text = (condition: string): string => `
  SELECT m.artifact_id, b.head_revision AS revision, ${shownColumns}
  FROM (
    SELECT * FROM managed_skills
    WHERE tenant_id = $1 AND scope_key = ${scopeKey} AND lifecycle_state ${condition}
    ORDER BY name, artifact_id LIMIT $3
  ) AS m CROSS JOIN LATERAL (
    SELECT a.artifact_key, a.head_revision FROM artifacts a
    WHERE a.tenant_id = $1 AND a.artifact_key = m.artifact_key OFFSET 0
  ) AS b ${headRevision}
  ORDER BY m.name, m.artifact_id`;

/** Each state has a partial index of its own. */
const listActive = statement('list_active_skills', text(`= 'active'`), row);
const listBoth = statement('list_unretired_skills', text(`<> 'retired'`), row);

/** A head in the library. */
export type LibraryRow = RowOfStatement<typeof listActive>;

/** Lists the heads of a Scope's Skills by the bytes of their names and then by id; retired ones never. */
export function listSkills(
  sql: Sql,
  { tenantId, scopeId, includeDeprecated, limit }: LibraryQuery,
): Promise<LibraryRow[]> {
  return sql.rows(includeDeprecated ? listBoth : listActive, [tenantId, scopeId, limit]);
}

/** Filter of the library. */
export interface LibraryQuery {
  tenantId: TenantId;
  scopeId: string;
  includeDeprecated: boolean;
  limit: number;
}
