import { type Database, deploymentStatement, tables } from '@continuity/shared/kernel';
import { type NewJob, newJob } from '../../jobs/index.ts';

/** How often a worker looks for Scopes whose background flush is due. */
export const scheduleMs = 1_000;

/** Scopes taken by one look. */
const batch = 200;

/** A Source that waits longer than this without a mark has been forgotten, by an outage or a restart (spec 20 A2). */
const forgottenMs = 60_000;

/**
 * Takes due Scopes, each by one worker. The mark moves on instead of going away: should the job be lost before it moves the
 * cursor, the Scope is due again.
 */
const takeDue = deploymentStatement(
  'take_due_flushes',
  `WITH due AS (
     SELECT tenant_id, scope_key FROM source_sequences WHERE flush_due_at <= now()
     ORDER BY flush_due_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
   )
   UPDATE source_sequences q SET flush_due_at = now() + interval '${forgottenMs} ms'
   FROM due JOIN scopes c USING (tenant_id, scope_key)
   WHERE q.tenant_id = due.tenant_id AND q.scope_key = due.scope_key
   RETURNING q.tenant_id, c.scope_id`,
  { tenant_id: tables.source_sequences.tenant_id, scope_id: tables.scopes.scope_id },
);

const markForgotten = deploymentStatement(
  'mark_forgotten_flushes',
  `WITH forgotten AS (
     SELECT tenant_id, scope_key FROM source_sequences
     WHERE pending_since < now() - interval '${forgottenMs} ms' AND flush_due_at IS NULL
     ORDER BY pending_since LIMIT ${batch} FOR UPDATE SKIP LOCKED
   )
   UPDATE source_sequences q SET flush_due_at = now() FROM forgotten f
   WHERE q.tenant_id = f.tenant_id AND q.scope_key = f.scope_key`,
);

/** Queues a background flush of each Scope that is due (spec 20 A1). */
export async function scheduleDueFlushes(
  database: Database,
  queueBackground: (job: NewJob) => Promise<boolean>,
): Promise<void> {
  const due = await database.sql.rows(takeDue, []);
  for (const { tenant_id, scope_id } of due) await queueBackground(flushJob(tenant_id, scope_id));
}

/** Makes Scopes due whose pending Sources nobody marked: the sweep of spec 20 A2. */
export async function sweepForgottenFlushes(database: Database): Promise<void> {
  await database.sql.rows(markForgotten, []);
}

/** A flush of one Scope; flushes of one Scope run one after the other (spec 20 F9). */
export function flushJob(tenantId: number, scopeId: string): NewJob {
  return newJob('flush_memory', { tenantId, scopeId, payload: { scope_id: scopeId } });
}
