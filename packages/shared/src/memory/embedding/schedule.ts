import { deploymentStatement, type Sql, type TenantId, tables } from '@continuity/shared/kernel';
import { type NewJob, newJob } from '../../jobs/index.ts';
import { activeProfile, markScopes } from './profile.ts';

/** Interval between checks for Scopes to embed, in milliseconds. */
export const embedScheduleMs = 500;

/** Limit of Scopes per check. */
const batch = 200;

/** A job that has not finished after this time counts as lost, and its Scope is due again. */
const lostAfterMs = 60_000;

/** Claims due Scopes, each for one worker. Claims nothing for a profile that is not active. */
const takeDue = deploymentStatement(
  'take_due_embeddings',
  `WITH due AS (
     SELECT tenant_id, scope_key FROM memory_totals
     WHERE embedding_due_at <= now() AND $1 = ${activeProfile}
     ORDER BY embedding_due_at LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE memory_totals t SET embedding_due_at = now() + interval '${lostAfterMs} ms'
   FROM due JOIN scopes c USING (tenant_id, scope_key)
   WHERE t.tenant_id = due.tenant_id AND t.scope_key = due.scope_key
   RETURNING t.tenant_id, c.scope_id`,
  { tenant_id: tables.memory_totals.tenant_id, scope_id: tables.scopes.scope_id },
);

/**
 * Queues a job for each Scope with entries that may lack a vector. While the endpoint is down it queues one Scope per check, as a
 * probe.
 */
export async function scheduleEmbeddings(
  sql: Sql,
  { profileKey, isEndpointDown }: { profileKey: number; isEndpointDown: boolean },
  queueBackground: (job: NewJob) => Promise<boolean>,
): Promise<void> {
  await markScopes(sql, profileKey);
  const limit = isEndpointDown ? 1 : batch;
  const due = await sql.rows(takeDue, [profileKey, limit]);
  for (const { tenant_id, scope_id } of due) await queueBackground(embedJob(tenant_id, scope_id, profileKey));
}

/** Creates an embedding job. Jobs of one Scope run one after the other. */
function embedJob(tenantId: TenantId, scopeId: string, profileKey: number): NewJob {
  const payload = { scope_id: scopeId, profile_key: profileKey };
  return newJob('embed_memory', { tenantId, scopeId, payload });
}
