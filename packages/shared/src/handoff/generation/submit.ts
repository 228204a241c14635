import type { Citation, JobPayload, SourceRef } from '@continuity/contract';
import { citationKey, citeSource } from '@continuity/contract/evidence';
import {
  type HandoffActivation,
  type handoffGenerationOperations,
  maxEvidence,
} from '@continuity/contract/handoff';
import { invalidRequest, serviceError } from '@continuity/kernel/errors';
import type { Answer, Caller, Handlers } from '@continuity/shared/handlers';
import { type EvidencePlace, requireEvidence } from '../../evidence/index.ts';
import { acceptedAnswer, acceptedJob, type NewJob, newJob, runQueued } from '../../jobs/index.ts';
import { objectiveFits } from '../rules.ts';
import { findActivation, ignored } from './activation-cursor.ts';
import type { HandoffGenerationDeps } from './run.ts';

type PrepareRequest = JobPayload<'prepare_handoff'>;
type ActivateRequest = JobPayload<'activate_handoff'>;

/** Answers `prepare_handoff`. Checks that generation is on (503), then the evidence (404, 422), then queues (spec 30 §3.3.1). */
export async function prepareHandoff(
  deps: HandoffGenerationDeps,
  caller: Caller,
  request: PrepareRequest,
): Promise<Answer> {
  requireRoom(request);
  requireGeneration(deps);
  await requireEvidence(deps.database.sql, placeOf(caller, request), request.evidence);
  const job = newJob('prepare_handoff', { ...placeOf(caller, request), payload: request });
  return await runQueued(deps.jobs, job, caller);
}

/**
 * Answers `activate_handoff`. Checks in the order of spec 30 §8.3: shape and duplicates (422), boundary (404, 422), boundary at or
 * before the cursor (`ignored`), generation is on (503), evidence; then queues.
 */
export async function activateHandoff(
  deps: HandoffGenerationDeps,
  caller: Caller,
  fields: ActivateRequest,
): Promise<Answer> {
  requireRoom(fields);
  const { boundary_source } = fields;
  const request = { ...fields, evidence: withBoundaryFirst(boundary_source, fields.evidence) };
  const { sql } = deps.database;
  const place = placeOf(caller, request);
  await requireEvidence(sql, place, [citeSource(boundary_source)]);
  const activation = await findActivation(sql, place, boundary_source);
  const job = newJob('activate_handoff', { ...place, payload: request });
  if (activation !== undefined && activation.position <= activation.cursor) {
    return (
      (await takeUndelivered(deps, caller, job)) ?? { body: ignored(boundary_source, activation.cursor) }
    );
  }
  requireGeneration(deps);
  await requireEvidence(sql, place, request.evidence);
  return await runQueued(deps.jobs, job, caller);
}

/** Takes the undelivered result of an equal activation, if any (spec 30 §3.4.5). */
async function takeUndelivered(
  { jobs }: HandoffGenerationDeps,
  caller: Caller,
  job: NewJob,
): Promise<Answer | undefined> {
  const left = await jobs.takeUndelivered(job);
  if (left === undefined || (left.result as HandoffActivation).status === 'ignored') return undefined;
  return caller.respondAsync
    ? acceptedAnswer(acceptedJob(left.jobId, 'succeeded'))
    : { body: left.result as object };
}

function withBoundaryFirst(boundary: SourceRef, evidence: Citation[]): Citation[] {
  const first = citeSource(boundary);
  const others = evidence.filter((one) => citationKey(one) !== citationKey(first));
  if (new Set(others.map(citationKey)).size < others.length)
    throw invalidRequest([{ path: 'evidence', message: 'must not contain duplicates' }]);
  if (others.length < maxEvidence) return [first, ...others];
  throw invalidRequest([
    {
      path: 'evidence',
      message: `must be at most ${maxEvidence} Citations, the boundary among them, and has ${others.length + 1}`,
    },
  ]);
}

/** Throws 422 for an objective that alone is over the budget (spec 30 §8.6). */
function requireRoom({ objective, max_bytes }: PrepareRequest): void {
  if (objectiveFits(objective, max_bytes)) return;
  throw invalidRequest([{ path: 'objective', message: `must fit into max_bytes, ${max_bytes} bytes` }]);
}

function requireGeneration({ settings }: HandoffGenerationDeps): void {
  if (settings.HANDOFF_GENERATION) return;
  throw serviceError('handoff_generation_unavailable');
}

function placeOf({ tenantId }: Caller, { scope_id }: PrepareRequest): EvidencePlace {
  return { tenantId, scopeId: scope_id };
}

export const handoffGenerationHandlers: Handlers<typeof handoffGenerationOperations, HandoffGenerationDeps> =
  {
    prepare_handoff: (deps, caller, { body }) => prepareHandoff(deps, caller, body),
    activate_handoff: (deps, caller, { body }) => activateHandoff(deps, caller, body),
  };
