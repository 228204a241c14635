import { type Database, deploymentStatement, tables } from '@continuity/shared/kernel';
import { type NewJob, newJob } from '../../jobs/index.ts';

/** Limit of Scopes per check. */
const batch = 200;

/** An incubation that has not ended after this time is scheduled again. */
const againAfterMs = 60_000;

/** Claims due Scopes, each for one worker. Postpones the due time, so that a failed or lost job is scheduled again. */
const takeDue = deploymentStatement(
  'take_due_incubations',
  `WITH due AS (
     SELECT tenant_id, scope_key FROM source_sequences WHERE incubation_due_at <= now()
     ORDER BY incubation_due_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
   )
   UPDATE source_sequences q SET incubation_due_at = now() + interval '${againAfterMs} ms'
   FROM due JOIN scopes c USING (tenant_id, scope_key)
   WHERE q.tenant_id = due.tenant_id AND q.scope_key = due.scope_key
   RETURNING q.tenant_id, c.scope_id`,
  { tenant_id: tables.source_sequences.tenant_id, scope_id: tables.scopes.scope_id },
);

/** Queues a background incubation of each Scope with new Task Outcomes (spec 40 §2.3). */
export async function scheduleIncubations(
  { sql }: Database,
  queueBackground: (job: NewJob) => Promise<boolean>,
): Promise<void> {
  for (const { tenant_id: tenantId, scope_id: scopeId } of await sql.rows(takeDue, [])) {
    await queueBackground(
      newJob('incubate_experience', { tenantId, scopeId, payload: { scope_id: scopeId } }),
    );
  }
}
