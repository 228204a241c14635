import {
  type Database,
  deploymentStatement,
  isWritableHere,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import {
  type DueScopeScheduler,
  dueBatch,
  lostAfterMs,
  type NewJob,
  newJob,
  takeDueScopes,
} from '../../jobs/index.ts';

/** Interval between checks for due flushes, in milliseconds. */
export const scheduleMs = 1_000;

const takeDue = deploymentStatement('take_due_flushes', takeDueScopes('source_sequences', 'flush_due_at'), {
  tenant_id: tables.source_sequences.tenant_id,
  scope_id: tables.scopes.scope_id,
});

const scheduleLost = deploymentStatement(
  'schedule_lost_flushes',
  `WITH lost AS (
     SELECT tenant_id, scope_key FROM source_sequences
     WHERE pending_since < now() - interval '${lostAfterMs} ms' AND flush_due_at IS NULL
       AND ${isWritableHere('source_sequences.tenant_id')}
     ORDER BY pending_since LIMIT ${dueBatch} FOR UPDATE SKIP LOCKED
   )
   UPDATE source_sequences q SET flush_due_at = now() FROM lost
   WHERE q.tenant_id = lost.tenant_id AND q.scope_key = lost.scope_key`,
);

/** Queues a background flush of each due Scope (spec 20 A1). */
export async function scheduleDueFlushes({ sql }: Database, scheduler: DueScopeScheduler): Promise<void> {
  await scheduler.queueJobs(
    () => sql.rows(takeDue, []),
    ({ tenant_id, scope_id }) => flushJob(tenant_id, scope_id),
  );
}

/** Schedules flushes of Scopes with old pending Sources but no due time, which an outage can cause (spec 20 A2). */
export async function sweepLostFlushes(database: Database): Promise<void> {
  await database.sql.rows(scheduleLost, []);
}

/** Creates a flush job. Flushes of one Scope run one after the other (spec 20 F9). */
export function flushJob(tenantId: TenantId, scopeId: string): NewJob {
  return newJob('flush_memory', { tenantId, scopeId, payload: { scope_id: scopeId } });
}
