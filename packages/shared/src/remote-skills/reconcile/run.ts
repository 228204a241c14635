import type { Database } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { commitFinishedJob, type JobHandler } from '../../jobs/index.ts';
import { recordContact } from '../contact.ts';
import { storeObserved } from '../store-observed.ts';
import { planReconcile } from './plan.ts';
import { readRows } from './read-rows.ts';

/**
 * The handler of `reconcile_remote_skills`. At most four round trips: contact and lock, rows, changed rows if any, result. Throws 401 if
 * the target was revoked after the gateway checked the credential.
 */
export function runReconcile(database: Database): JobHandler<'reconcile_remote_skills'> {
  return async (job, payload) => {
    const { scope_id, target_id, observations } = payload;
    const { tenantId } = job;
    const target = { scopeId: scope_id, targetId: target_id };
    await database.transaction(async (sql) => {
      const key = await recordContact(sql, tenantId, target, payload);
      const { actions, changed } = planReconcile(await readRows(sql, key, observations), observations);
      if (changed.length > 0) await storeObserved(sql, key, changed);
      await commitFinishedJob(sql, job, { scope_id, target_id, actions } as JsonValue);
    });
  };
}
