import type { OperationInput } from '@continuity/contract';
import type { externalSkillOperations } from '@continuity/contract/external-skills';
import { serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';
import { type Answer, type Caller, type Handlers, longAnswer } from '@continuity/shared/handlers';
import { configuredIdentity, findPendingResult, noOp } from '../generation/index.ts';
import {
  type EarlierWork,
  type JobGateway,
  type NewJob,
  newJob,
  newKeyedJob,
  runByKey,
  runQueued,
} from '../jobs/index.ts';
import type { ExternalSkillDeps } from './deps.ts';
import { importKeyOf, requireVersion } from './import/capture.ts';
import { requireRegistered } from './list.ts';
import { unavailable } from './open-roots.ts';

type Body<Id extends keyof typeof externalSkillOperations> = OperationInput<
  (typeof externalSkillOperations)[Id]
>['body'];

/** Like `runQueued`, for results of several MB. */
async function runLong(jobs: JobGateway, job: NewJob, caller: Caller): Promise<Answer> {
  const answer = await runQueued(jobs, job, caller);
  return answer.status === 202 ? answer : await longAnswer(answer.body as object);
}

/** Answers `scan_external_skills` by a job on the host. */
export async function scanExternalSkills(
  { jobs, skillHosts }: ExternalSkillDeps,
  caller: Caller,
  { scope_id: scopeId, host_id: named }: Body<'scan_external_skills'>,
): Promise<Answer> {
  const { tenantId } = caller;
  const payload = { scope_id: scopeId, host_id: await skillHosts.decideHost(tenantId, named) };
  return await runLong(jobs, newJob('scan_external_skills', { tenantId, scopeId, payload }), caller);
}

/** Answers `list_external_skills` by a job on the host. */
export async function listExternalSkills(
  { jobs, skillHosts }: ExternalSkillDeps,
  caller: Caller,
  { host_id: named, ...request }: Body<'list_external_skills'>,
): Promise<Answer> {
  const { tenantId } = caller;
  const payload = { ...request, host_id: await skillHosts.decideHost(tenantId, named) };
  const place = { tenantId, scopeId: request.scope_id };
  return await runLong(jobs, newJob('list_external_skills', { ...place, payload }), caller);
}

/** Answers `resolve_external_skill` by a job on the host, or at once if only other hosts have the Skill (spec 40 §7.3). */
export async function resolveExternalSkill(
  { database, jobs, skillHosts }: ExternalSkillDeps,
  caller: Caller,
  { host_id: named, ...request }: Body<'resolve_external_skill'>,
): Promise<Answer> {
  const { tenantId } = caller;
  const { scope_id: scopeId, external_skill_id: externalSkillId } = request;
  const hostId = await skillHosts.decideHost(tenantId, named);
  const { own, first } = await requireRegistered(database, { tenantId, scopeId, hostId, externalSkillId });
  if (own === undefined) return { body: unavailable(first) };
  const payload = { ...request, host_id: hostId };
  return await runQueued(jobs, newJob('resolve_external_skill', { tenantId, scopeId, payload }), caller);
}

/**
 * Answers `import_external_skill` by a job on the host. Checks in the order of spec 40 §7.4: 503 if generation is off, 404 if the Skill
 * is not registered, the result of an equal request, 409 for another version.
 */
export async function importExternalSkill(
  { database, jobs, settings, skillHosts, families }: ExternalSkillDeps,
  caller: Caller,
  { host_id: named, ...request }: Body<'import_external_skill'>,
): Promise<Answer> {
  const { tenantId, actor } = caller;
  const { scope_id: scopeId, external_skill_id: externalSkillId, fingerprint, mode } = request;
  const hostId = await skillHosts.decideHost(tenantId, named);
  if (mode === 'fork' && !settings.SKILL_GENERATION) {
    throw serviceError('generation_unavailable', { details: { family: 'skill' } });
  }
  const registered = await requireRegistered(database, { tenantId, scopeId, hostId, externalSkillId });
  const generator = mode === 'fork' ? configuredIdentity(families.skill.generation, settings) : null;
  const workKey = importKeyOf({ tenantId, scopeId, hostId, externalSkillId, fingerprint, mode, generator });
  const payload = { ...request, host_id: hostId, candidate_id: newId(), actor };
  const job = newKeyedJob('import_external_skill', { tenantId, scopeId, workKey, payload });
  const earlier: EarlierWork = {
    find: () => findPendingResult(database, tenantId, workKey),
    reusableResult: noOp,
    checkNew: () => {
      requireVersion(registered, fingerprint);
    },
  };
  return await runByKey(jobs, job, earlier, caller);
}

export const externalSkillHandlers: Handlers<typeof externalSkillOperations, ExternalSkillDeps> = {
  scan_external_skills: (deps, caller, { body }) => scanExternalSkills(deps, caller, body),
  list_external_skills: (deps, caller, { body }) => listExternalSkills(deps, caller, body),
  resolve_external_skill: (deps, caller, { body }) => resolveExternalSkill(deps, caller, body),
  import_external_skill: (deps, caller, { body }) => importExternalSkill(deps, caller, body),
};
