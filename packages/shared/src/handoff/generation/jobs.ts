import { citation, int, scopeId, sourceRef, text } from '@continuity/contract';
import { digestHex } from '@continuity/shared/kernel';
import { z } from 'zod';
import type { NewJob } from '../../jobs/index.ts';

const draftFields = {
  scope_id: scopeId,
  objective: text(1, 8192),
  evidence: z.array(citation).min(1),
  max_bytes: int(512, 32_768),
};

/** What the job of a draft is asked: the evidence of an activation begins with its boundary. */
export const prepareRequest = z.strictObject(draftFields);
export const activateRequest = z.strictObject({ ...draftFields, boundary_source: sourceRef });

export type PrepareRequest = z.infer<typeof prepareRequest>;
export type ActivateRequest = z.infer<typeof activateRequest>;

/** Each draft has a lane of its own: different ones run side by side. */
export function prepareJob(tenantId: number, request: PrepareRequest): NewJob {
  return {
    tenantId,
    queue: 'candidate-generation',
    operation: 'prepare_handoff',
    scopeId: request.scope_id,
    lane: `prepare:${digestHex(request)}`,
    request,
    shared: true,
  };
}

/** Activations of one Scope run one after another (spec 30 §3.4.4). */
export function activateJob(tenantId: number, request: ActivateRequest): NewJob {
  return {
    tenantId,
    queue: 'candidate-generation',
    operation: 'activate_handoff',
    scopeId: request.scope_id,
    lane: `activate:${request.scope_id}`,
    request,
    shared: true,
  };
}
