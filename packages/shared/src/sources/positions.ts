import { column, type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';

const lastStatement = statement(
  'find_last_positions',
  `SELECT coalesce(q.last_position, 0)::bigint AS position
   FROM unnest($2::bigint[]) WITH ORDINALITY AS i(scope_key, n)
   LEFT JOIN source_sequences q ON q.tenant_id = $1 AND q.scope_key = i.scope_key
   ORDER BY i.n`,
  { position: column.bigint },
);

/** Capture times never decrease along positions, so the last row before a time has the highest position. */
const lastBeforeStatement = statement(
  'find_last_positions_before',
  `SELECT coalesce(s.position, 0)::bigint AS position
   FROM unnest($2::bigint[]) WITH ORDINALITY AS i(scope_key, n)
   LEFT JOIN LATERAL (
     SELECT s.position FROM sources s
     WHERE s.tenant_id = $1 AND s.scope_key = i.scope_key AND s.created_at < $3 AND s.position > 0
     ORDER BY s.created_at DESC, s.position DESC LIMIT 1
   ) AS s ON true
   ORDER BY i.n`,
  { position: column.bigint },
);

/**
 * The highest position of each Scope, in the order of `scopeKeys`; only of Sources that were captured before `before`, if it is
 * not null. 0 for a Scope without one. One look-up for each Scope, whatever the number of its Sources.
 */
export async function findLastPositions(
  sql: Sql,
  tenantId: TenantId,
  scopeKeys: readonly ScopeKey[],
  before: Date | null,
): Promise<number[]> {
  const rows =
    before === null
      ? await sql.rows(lastStatement, [tenantId, scopeKeys])
      : await sql.rows(lastBeforeStatement, [tenantId, scopeKeys, before]);
  return rows.map(({ position }) => position);
}

const ensureSequence = statement(
  'ensure_source_sequence',
  'INSERT INTO source_sequences (tenant_id, scope_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

/** Creates the Source sequence of an existing Scope if it is missing. */
export async function ensureSourceSequence(sql: Sql, tenantId: TenantId, scopeKey: ScopeKey): Promise<void> {
  await sql.rows(ensureSequence, [tenantId, scopeKey]);
}

const lockSequence = statement(
  'lock_source_sequence',
  'SELECT FROM source_sequences WHERE tenant_id = $1 AND scope_key = $2 FOR NO KEY UPDATE',
);

/** Locks the Source sequence of a Scope until the transaction ends, as every writer of a search projection does. */
export async function lockSourceSequence(sql: Sql, tenantId: TenantId, scopeKey: ScopeKey): Promise<void> {
  await sql.rows(lockSequence, [tenantId, scopeKey]);
}
