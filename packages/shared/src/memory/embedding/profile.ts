import {
  deploymentStatement,
  isWritableHere,
  optimizationFence,
  pick,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { EmbeddingProfile } from '../../inference/index.ts';
import { scopeKey } from '../../scopes/index.ts';

/** Subquery for the profile that workers embed into: the most recently activated one. */
export const activeProfile =
  '(SELECT profile_key FROM embedding_profiles ORDER BY activated_at DESC, profile_key DESC LIMIT 1)';

/** Activating another profile restarts the marking, because all Scopes need vectors of the new profile. */
const activate = deploymentStatement(
  'activate_embedding_profile',
  `INSERT INTO embedding_profiles AS p (profile_id, model, dimension, marked_tenant, marked_scope)
   VALUES ($1, $2, $3, 0, 0)
   ON CONFLICT (profile_id, model, dimension) DO UPDATE SET
     seen_at = now(),
     activated_at = CASE WHEN p.profile_key = ${activeProfile} THEN p.activated_at ELSE now() END,
     marked_tenant = CASE WHEN p.profile_key = ${activeProfile} THEN p.marked_tenant ELSE 0 END,
     marked_scope = CASE WHEN p.profile_key = ${activeProfile} THEN p.marked_scope ELSE 0 END
   RETURNING profile_key`,
  pick(tables.embedding_profiles, 'profile_key'),
);

/** Activates `profile` and returns its key. Idempotent. */
export async function activateProfile(sql: Sql, profile: EmbeddingProfile): Promise<number> {
  const values = [profile.profileId, profile.model, profile.dimension];
  const row = await sql.first(activate, values);
  if (row === undefined) throw new Error('The activation of an embedding profile returned no row.');
  return row.profile_key;
}

/** Also marks a Scope whose next run is postponed, because its past runs embedded into the earlier profile. */
const markNext = deploymentStatement(
  'mark_scopes_for_embedding',
  `WITH profile AS (
     SELECT profile_key, marked_tenant, marked_scope FROM embedding_profiles
     WHERE profile_key = $1 AND marked_scope IS NOT NULL FOR UPDATE SKIP LOCKED
   ), next AS MATERIALIZED (
     SELECT n.tenant_id, n.scope_key FROM profile p CROSS JOIN LATERAL (
       SELECT t.tenant_id, t.scope_key FROM memory_totals t
       WHERE (t.tenant_id, t.scope_key) > (p.marked_tenant, p.marked_scope)
       ORDER BY t.tenant_id, t.scope_key LIMIT $2 ${optimizationFence}
     ) AS n
   ), marked AS (
     UPDATE memory_totals t SET embedding_due_at = now()
     FROM next n WHERE t.tenant_id = n.tenant_id AND t.scope_key = n.scope_key AND ${isWritableHere('n.tenant_id')}
       AND (t.embedding_due_at IS NULL OR t.embedding_due_at > now())
   ), last AS (
     SELECT tenant_id, scope_key FROM next ORDER BY tenant_id DESC, scope_key DESC LIMIT 1
   )
   UPDATE embedding_profiles e SET
     marked_tenant = (SELECT tenant_id FROM last), marked_scope = (SELECT scope_key FROM last), seen_at = now()
   FROM profile p WHERE e.profile_key = p.profile_key`,
);

/** Limit of Scopes that one statement marks. */
const marksAtOnce = 1_000;

/** Marks a batch of the Scopes that existed before the activation as due. Does nothing once all are marked. */
export async function markScopes(sql: Sql, profileKey: number): Promise<void> {
  await sql.rows(markNext, [profileKey, marksAtOnce]);
}

/** A Scope and the profile that its entries are embedded into. */
export interface EmbeddingScope {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  profileKey: number;
}

const findScope = statement(
  'find_scope_to_embed',
  `SELECT t.scope_key, t.entered FROM memory_totals t WHERE t.tenant_id = $1 AND t.scope_key = ${scopeKey}`,
  pick(tables.memory_totals, 'scope_key', 'entered'),
);

/** The key of a Scope with Memory. `entered` grows with each write that needs a vector. */
export async function findScopeToEmbed(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<{ scopeKey: ScopeKey; entered: number } | undefined> {
  const row = await sql.first(findScope, [tenantId, scopeId]);
  return row && { scopeKey: row.scope_key, entered: row.entered };
}
