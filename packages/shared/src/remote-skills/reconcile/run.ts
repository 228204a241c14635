import type { Database } from '@continuity/kernel/database';
import { requireNoIssues } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { Answer, Caller, RemoteTarget } from '@continuity/shared/handlers';
import { commitFinishedJob, type JobHandler, newJob } from '../../jobs/index.ts';
import type { BodyOf, RemoteSkillDeps } from '../deps.ts';
import { storeObserved } from '../record-receipt.ts';
import { recordContact } from '../target.ts';
import { planReconcile, readRows } from './plan.ts';

/** Answers `reconcile_remote_skills` by a job. The job names the target, and does not contain its credential. */
export async function reconcileSkills(
  { jobs }: RemoteSkillDeps,
  { tenantId, signal }: Caller,
  { scopeId, targetId }: RemoteTarget,
  body: BodyOf<'reconcile_remote_skills'>,
): Promise<Answer> {
  requireDistinct(body);
  const payload = { scope_id: scopeId, target_id: targetId, ...body };
  const job = newJob('reconcile_remote_skills', { tenantId, scopeId, payload });
  return { body: (await jobs.submit(job, signal)) as object };
}

/** Throws 422 for two observations of one Artifact. */
function requireDistinct({ observations }: BodyOf<'reconcile_remote_skills'>): void {
  const seen = new Set<string>();
  const issues = observations.flatMap(({ artifact: { artifact_id } }, index) => {
    if (!seen.has(artifact_id)) {
      seen.add(artifact_id);
      return [];
    }
    const path = `observations[${index}].artifact.artifact_id`;
    return [{ path, message: 'is the Artifact of an earlier observation' }];
  });
  requireNoIssues(issues);
}

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
