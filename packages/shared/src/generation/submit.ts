import type { CandidateFamily, JobPayload } from '@continuity/contract';
import { serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';
import type { Answer, Caller } from '@continuity/shared/handlers';
import { type EarlierWork, newKeyedJob, runByKey } from '../jobs/index.ts';
import { checkEvidence, distinctEvidence } from '../review/index.ts';
import type { GenerationDeps } from './deps.ts';
import { configuredIdentity } from './identity.ts';
import { requireOriginShape } from './origin.ts';
import { findPendingResult, noOp } from './results.ts';
import { workKeyOf } from './work-key.ts';

type ExperienceRequest = Omit<JobPayload<'generate_experience'>, 'candidate_id' | 'actor'>;
type SkillRequest = Omit<JobPayload<'generate_skill'>, 'candidate_id' | 'actor'>;

/**
 * Answers `generate_experience` with a job, or with the Candidate of an equal request (spec 40 §2.1.2). Throws 422 for the body,
 * 503 `generation_unavailable`, then 422 and 409 for the evidence.
 */
export async function generateExperience(
  deps: GenerationDeps,
  caller: Caller,
  request: ExperienceRequest,
): Promise<Answer> {
  const workKey = await prepareWork(deps, caller, 'experience', request, null);
  const job = newKeyedJob('generate_experience', jobRequestOf(caller, request, workKey));
  return await runByKey(deps.jobs, job, earlierWork(deps, caller, workKey), caller);
}

/** Answers `generate_skill`, as `generateExperience`. */
export async function generateSkill(
  deps: GenerationDeps,
  caller: Caller,
  request: SkillRequest,
): Promise<Answer> {
  const workKey = await prepareWork(deps, caller, 'skill', request, request.origin);
  const job = newKeyedJob('generate_skill', jobRequestOf(caller, request, workKey));
  return await runByKey(deps.jobs, job, earlierWork(deps, caller, workKey), caller);
}

/** Checks a request in the order of spec 40 §1.1 and §1.2, and returns the key of its work. */
async function prepareWork(
  { database, settings }: GenerationDeps,
  { tenantId }: Caller,
  family: CandidateFamily,
  request: ExperienceRequest,
  origin: SkillRequest['origin'] | null,
): Promise<Buffer> {
  const references = distinctEvidence(request);
  if (origin !== null) requireOriginShape(origin, request);
  const isOn = family === 'experience' ? settings.EXPERIENCE_GENERATION : settings.SKILL_GENERATION;
  if (!isOn) throw serviceError('generation_unavailable', { details: { family } });
  const { scope_id: scopeId, target } = request;
  await checkEvidence(database, { tenantId, scopeId }, family, request);
  const operation = `generate_${family}`;
  const generator = configuredIdentity(family, settings);
  return workKeyOf({ tenantId, scopeId, operation, origin, target, references, generator });
}

/** The fields of a job: the request of its caller, with the id of the Candidate to make. */
function jobRequestOf<Request extends ExperienceRequest>(
  { tenantId, actor }: Caller,
  request: Request,
  workKey: Buffer,
) {
  const payload = { ...request, candidate_id: newId(), actor };
  return { tenantId, scopeId: request.scope_id, workKey, payload };
}

function earlierWork({ database }: GenerationDeps, { tenantId }: Caller, workKey: Buffer): EarlierWork {
  return {
    find: () => findPendingResult(database, tenantId, workKey),
    reusableResult: noOp,
  };
}
