import { requireNoIssues } from '@continuity/kernel/errors';
import type { Answer, Caller, RemoteTarget } from '@continuity/shared/handlers';
import { newJob } from '../../jobs/index.ts';
import type { BodyOf } from '../bodies.ts';
import type { RemoteSkillDeps } from '../deps.ts';

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
