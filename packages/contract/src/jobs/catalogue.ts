import { z } from 'zod';
import { draftFields } from '../handoff/shapes.ts';
import { citation, int, scopeId, sourceRef } from '../notation/shapes.ts';

/** One kind of job (spec 00 §7). */
interface JobSpec {
  /** A queue scales, fails and restarts alone. Several kinds of jobs may share one. */
  queue: string;
  summary: string;
  /** Fields that the job row stores. The shape drops unknown fields, so that a newer release can add some. */
  payload: z.ZodObject;
  /** Jobs of one group run one after the other. A group is one Scope, one payload, or one key of the work (spec 40 §2.1). */
  group: 'scope' | 'payload' | 'key';
  /** Whether equal requests share the job while it is queued or running. With a key, requests of one key are equal. */
  coalesces: boolean;
  limits: {
    /** Limit of runs before the job fails, including runs of lost workers. */
    attempts: number;
  };
}

const draftPayload = { ...draftFields, evidence: z.array(citation).min(1) };

const limits = { attempts: 10 };

/** Every kind of job by its name. A job that a request waits for has the id of its operation. */
export const jobCatalogue = {
  flush_memory: {
    queue: 'memory-flush',
    summary: 'Extracts the next window of captured Sources of a Scope into Memory.',
    payload: z.object({ scope_id: scopeId }),
    group: 'scope',
    coalesces: false,
    limits,
  },
  embed_memory: {
    queue: 'memory-embed',
    summary: 'Embeds the active entries of a Scope that have no vector in one embedding profile.',
    payload: z.object({ scope_id: scopeId, profile_key: int(1) }),
    group: 'scope',
    coalesces: false,
    limits,
  },
  prepare_handoff: {
    queue: 'candidate-generation',
    summary: 'Drafts a Handoff from cited evidence.',
    payload: z.object(draftPayload),
    group: 'payload',
    coalesces: true,
    limits,
  },
  activate_handoff: {
    queue: 'candidate-generation',
    summary: 'Drafts a Handoff once for a boundary. The evidence begins with the boundary.',
    payload: z.object({ ...draftPayload, boundary_source: sourceRef }),
    group: 'scope',
    coalesces: true,
    limits,
  },
} as const satisfies Record<string, JobSpec>;

export type JobName = keyof typeof jobCatalogue;
export type QueueName = (typeof jobCatalogue)[JobName]['queue'];
export type JobPayload<Name extends JobName = JobName> = z.output<(typeof jobCatalogue)[Name]['payload']>;

/** Every queue of the service, each once. */
export const queueNames: readonly QueueName[] = [
  ...new Set(Object.values(jobCatalogue).map(({ queue }) => queue)),
];

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobCatalogue, name);
}
