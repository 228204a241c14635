import { deploymentStatement, pick, type Sql, type TenantId, tables } from '@continuity/kernel/database';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { hashSecret, isCredential, isSameHash } from './secrets.ts';

/**
 * The credential identifies tenant and target. `IS TRUE` keeps the partial index of active targets out of the plan: a plan that was made
 * while the table was empty would read every active target.
 */
const findStatement = deploymentStatement(
  'find_remote_target_by_credential',
  `SELECT t.tenant_id, t.target_id, t.credential_hash, s.scope_id
   FROM remote_skill_targets t JOIN scopes s ON s.tenant_id = t.tenant_id AND s.scope_key = t.scope_key
   WHERE t.credential_hash = $1 AND (t.state = 'active') IS TRUE`,
  {
    ...pick(tables.remote_skill_targets, 'tenant_id', 'target_id', 'credential_hash'),
    ...pick(tables.scopes, 'scope_id'),
  },
);

/** The target of a credential. */
export interface CredentialHolder {
  tenantId: TenantId;
  target: RemoteTarget;
}

/** Finds the active target of a credential; undefined for any other token. Not cached, so that a revocation takes effect at once. */
export async function findCredentialHolder(sql: Sql, token: string): Promise<CredentialHolder | undefined> {
  if (!isCredential(token)) return undefined;
  const hash = hashSecret(token);
  const row = await sql.first(findStatement, [hash]);
  if (row === undefined || !isSameHash(row.credential_hash, hash)) return undefined;
  const { tenant_id: tenantId, scope_id: scopeId, target_id: targetId } = row;
  return { tenantId, target: { scopeId, targetId } };
}
