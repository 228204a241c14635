import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { scopeKey } from '../scopes/index.ts';
import type { TargetKey } from './target.ts';

/** Facts that a Receiver reports about itself. Null keeps the stored value. */
interface ReceiverFacts {
  receiver_version?: string | null;
  environment_fingerprint?: string | null;
}

const contactStatement = statement(
  'contact_remote_target',
  `UPDATE remote_skill_targets SET last_seen_at = now(),
     receiver_version = coalesce($4, receiver_version),
     environment_fingerprint = coalesce($5, environment_fingerprint)
   WHERE tenant_id = $1 AND scope_key = ${scopeKey} AND target_id = $3 AND state = 'active'
   RETURNING scope_key`,
  pick(tables.remote_skill_targets, 'scope_key'),
);

/**
 * Records a contact of a Receiver, and locks its target until the transaction ends. Updates one row and no index. As the first
 * statement of a transaction, it shares the round trip of BEGIN. Throws 401 if the target was revoked meanwhile.
 */
export async function recordContact(
  sql: Sql,
  tenantId: TenantId,
  { scopeId, targetId }: RemoteTarget,
  { receiver_version = null, environment_fingerprint = null }: ReceiverFacts = {},
): Promise<TargetKey> {
  const values = [tenantId, scopeId, targetId, receiver_version, environment_fingerprint];
  const row = await sql.first(contactStatement, values);
  if (row === undefined) throw serviceError('unauthorized');
  return { tenantId, scopeKey: row.scope_key, targetId };
}
