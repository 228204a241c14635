import { type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';

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
