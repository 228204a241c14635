import { type Database, deploymentStatement, tables } from '@continuity/kernel/database';
import { type DueScopeScheduler, newJob, takeDueScopes } from '../../jobs/index.ts';

const takeDue = deploymentStatement(
  'take_due_incubations',
  takeDueScopes('source_sequences', 'incubation_due_at'),
  { tenant_id: tables.source_sequences.tenant_id, scope_id: tables.scopes.scope_id },
);

/** Queues a background incubation of each Scope with new Task Outcomes (spec 40 §2.3). */
export async function scheduleIncubations({ sql }: Database, scheduler: DueScopeScheduler): Promise<void> {
  await scheduler.queueJobs(
    () => sql.rows(takeDue, []),
    ({ tenant_id: tenantId, scope_id: scopeId }) =>
      newJob('incubate_experience', { tenantId, scopeId, payload: { scope_id: scopeId } }),
  );
}
