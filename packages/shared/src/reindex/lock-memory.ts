import { type ArtifactKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';

const lockHead = statement(
  'lock_memory_to_reindex',
  'SELECT FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR NO KEY UPDATE',
);

/** Serializes the writers of the Memory until the transaction ends, as they do among themselves. */
export async function lockMemory(sql: Sql, tenantId: TenantId, artifactKey: ArtifactKey): Promise<void> {
  await sql.rows(lockHead, [tenantId, artifactKey]);
}
