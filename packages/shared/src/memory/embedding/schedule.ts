import { deploymentStatement, type Sql, type TenantId, tables } from '@continuity/kernel/database';
import { type DueScopeScheduler, dueBatch, type NewJob, newJob, takeDueScopes } from '../../jobs/index.ts';
import { activeProfile, markScopes } from './profile.ts';

/** Interval between checks for Scopes to embed, in milliseconds. */
export const embedScheduleMs = 500;

/** Takes no Scope for a profile that is not active. */
const takeDue = deploymentStatement(
  'take_due_embeddings',
  takeDueScopes('memory_totals', 'embedding_due_at', { condition: `$1 = ${activeProfile}`, limit: '$2' }),
  { tenant_id: tables.memory_totals.tenant_id, scope_id: tables.scopes.scope_id },
);

/**
 * Queues a job for each Scope with entries that may lack a vector. While the endpoint is down it queues one Scope per check, as a
 * probe.
 */
export async function scheduleEmbeddings(
  sql: Sql,
  { profileKey, isEndpointDown }: { profileKey: number; isEndpointDown: boolean },
  scheduler: DueScopeScheduler,
): Promise<void> {
  await markScopes(sql, profileKey);
  const limit = isEndpointDown ? 1 : dueBatch;
  await scheduler.queueJobs(
    () => sql.rows(takeDue, [profileKey, limit]),
    ({ tenant_id, scope_id }) => embedJob(tenant_id, scope_id, profileKey),
  );
}

/** Creates an embedding job. Jobs of one Scope run one after the other. */
function embedJob(tenantId: TenantId, scopeId: string, profileKey: number): NewJob {
  const payload = { scope_id: scopeId, profile_key: profileKey };
  return newJob('embed_memory', { tenantId, scopeId, payload });
}
