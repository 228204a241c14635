import type { ArtifactRef, GeneratedFamily } from '@continuity/contract';
import type { generationOperations } from '@continuity/contract/generation';
import type { Settings } from '@continuity/kernel/config';
import type { Database, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { canonicalJson, digestBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import type { Answer, Caller, Handlers } from '@continuity/shared/handlers';
import { type JobGateway, newKeyedJob, runByKey } from '../jobs/index.ts';
import { checkEvidence, distinctEvidence, type References } from '../review/index.ts';
import {
  configuredIdentity,
  type GenerationFamilies,
  type GenerationRequest,
  type GenerationSetting,
  type GeneratorIdentity,
} from './family.ts';
import { findPendingResult, noOp } from './results.ts';

/** Dependencies of the operations that request a generation. */
export interface GenerationDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, GenerationSetting | 'INFERENCE_GENERATION_MODEL'>;
  families: GenerationFamilies;
}

export const generationHandlers: Handlers<typeof generationOperations, GenerationDeps> = {
  generate_experience: (deps, caller, { body }) => generate(deps, caller, 'experience', body),
  generate_skill: (deps, caller, { body }) => generate(deps, caller, 'skill', body),
};

/**
 * Answers `generate_<family>` with a job, or with the Candidate of an equal request (spec 40 §2.1.2). Throws 422 for the body,
 * 503 `generation_unavailable`, then 422 and 409 for the evidence.
 */
async function generate(
  deps: GenerationDeps,
  caller: Caller,
  family: GeneratedFamily,
  request: GenerationRequest,
): Promise<Answer> {
  const { database } = deps;
  const { tenantId, actor } = caller;
  const workKey = await prepareWork(deps, caller, family, request);
  const payload = { ...request, candidate_id: newId(), actor };
  const job = newKeyedJob(`generate_${family}`, { tenantId, scopeId: request.scope_id, workKey, payload });
  const earlier = {
    find: () => findPendingResult(database, tenantId, workKey),
    reusableResult: noOp,
  };
  return await runByKey(deps.jobs, job, earlier, caller);
}

/** Checks a request in the order of spec 40 §1.1 and §1.2, and returns the key of its work. */
async function prepareWork(
  { database, settings, families }: GenerationDeps,
  { tenantId }: Caller,
  family: GeneratedFamily,
  request: GenerationRequest,
): Promise<Buffer> {
  const { generation, candidates } = families[family];
  const references = distinctEvidence(request);
  generation.checkRequest(request);
  if (!settings[generation.setting]) throw serviceError('generation_unavailable', { details: { family } });
  const { scope_id: scopeId, target, origin = null } = request;
  await checkEvidence(database, { tenantId, scopeId }, candidates, request);
  const operation = `generate_${family}`;
  const generator = configuredIdentity(generation, settings);
  return workKeyOf({ tenantId, scopeId, operation, origin, target, references, generator });
}

/** The input of a generation, without the reason and the order of the evidence. */
interface Work {
  tenantId: TenantId;
  scopeId: string;
  operation: string;
  origin: string | null;
  target: ArtifactRef | null;
  /** Without duplicates. */
  references: References;
  generator: GeneratorIdentity;
}

/** The key of a generation, a SHA-256: requests of one key are the same work (spec 40 §2.1). */
export function workKeyOf(work: Work): Buffer {
  const { tenantId, scopeId, operation, origin, target, references, generator } = work;
  const { source_refs, artifact_refs } = references;
  const evidence = [...source_refs, ...artifact_refs].map((ref) => canonicalJson(ref)).sort();
  const key = { tenant: tenantId, scope: scopeId, operation, origin, target, evidence, generator };
  return digestBytes(key);
}
