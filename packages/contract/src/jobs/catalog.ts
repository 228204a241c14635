import { z } from 'zod';
import { externalSkillId, fingerprint, hostId, importMode } from '../external-skills/shapes.ts';
import { draftFields } from '../handoff/shapes.ts';
import { citation, hex64, int, scopeId, sourceRef, str } from '../notation/shapes.ts';
import { receiverVersion, remoteSkillObservation, targetId } from '../remote-skills/shapes.ts';
import { pageJobPayload, reportJobPayload } from '../reports/report-shapes.ts';
import { actor, evidenceFields } from '../review/shapes.ts';
import { skillOrigin } from '../skills/shapes.ts';

/**
 * Which job an equal request shares. With a key, requests of one key are equal.
 * - `never`: none.
 * - `abandoned`: an undelivered one whose callers have gone.
 * - `until-begun`: a queued one. It reads a snapshot that is no older than any of its requests, and leaves no result to a later one.
 * - `until-ended`: a queued or running one, or an abandoned one.
 */
export type Coalescing = 'never' | 'abandoned' | 'until-begun' | 'until-ended';

/** A job ends as `succeeded`, `failed` or `cancelled`. */
export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export const jobStatus = z.enum(jobStatuses).meta({ id: 'JobStatus' });

export type JobStatus = z.infer<typeof jobStatus>;

/** One kind of job (spec 00 §7). */
interface JobSpec {
  /** A queue scales, fails and restarts alone. Several kinds of jobs may share one. */
  queue: string;
  summary: string;
  /** Fields that the job row stores. The shape drops unknown fields, so that a newer release can add some. */
  payload: z.ZodObject;
  /**
   * Jobs of one group run one after the other. A group is one Scope, one payload, one key of the work (spec 40 §2.1) or one remote
   * target.
   */
  group: 'scope' | 'payload' | 'key' | 'target';
  coalesces: Coalescing;
  limits: {
    /** Limit of lost workers that count against the job, before it fails. */
    attempts: number;
  };
}

const draftPayload = { ...draftFields, evidence: z.array(citation).min(1) };

const candidatePayload = {
  /** Id of the Candidate-to-be. A repeated run makes no second one. */
  candidate_id: str(1, 128),
  actor: actor.nullable(),
};

/** The evidence is stored as sent, so that an issue names the place of its reference. */
const generationPayload = { scope_id: scopeId, ...evidenceFields, ...candidatePayload };

/** The host whose folders a job reads. Its workers alone run the job. */
const hostPayload = { scope_id: scopeId, host_id: hostId };

const versionPayload = { external_skill_id: externalSkillId, fingerprint };

const limits = { attempts: 10 };

/** Rendering takes memory, so a report that kills its workers is given up soon. */
const reportLimits = { attempts: 4 };

/** Every kind of job by its name. A job that a request waits for has the id of its operation. */
export const jobCatalog = {
  flush_memory: {
    queue: 'memory-flush',
    summary: 'Extracts the next window of captured Sources of a Scope into Memory.',
    payload: z.object({ scope_id: scopeId }),
    group: 'scope',
    coalesces: 'abandoned',
    limits,
  },
  embed_memory: {
    queue: 'memory-embed',
    summary: 'Embeds the active entries of a Scope that have no vector in one embedding profile.',
    payload: z.object({ scope_id: scopeId, profile_key: int(1) }),
    group: 'scope',
    coalesces: 'abandoned',
    limits,
  },
  prepare_handoff: {
    queue: 'candidate-generation',
    summary: 'Drafts a Handoff from cited evidence.',
    payload: z.object(draftPayload),
    group: 'payload',
    coalesces: 'until-ended',
    limits,
  },
  activate_handoff: {
    queue: 'candidate-generation',
    summary: 'Drafts a Handoff once for a boundary. The evidence begins with the boundary.',
    payload: z.object({ ...draftPayload, boundary_source: sourceRef }),
    group: 'scope',
    coalesces: 'until-ended',
    limits,
  },
  generate_experience: {
    queue: 'candidate-generation',
    summary: 'Generates an Experience from evidence, as a Candidate.',
    payload: z.object(generationPayload),
    group: 'key',
    coalesces: 'until-ended',
    limits,
  },
  incubate_experience: {
    queue: 'candidate-generation',
    summary: 'Generates Experiences from the next task outcomes of a Scope, as Candidates.',
    payload: z.object({ scope_id: scopeId }),
    group: 'scope',
    coalesces: 'abandoned',
    limits,
  },
  generate_skill: {
    queue: 'candidate-generation',
    summary: 'Generates a Skill from evidence, as a Candidate.',
    payload: z.object({ ...generationPayload, origin: skillOrigin }),
    group: 'key',
    coalesces: 'until-ended',
    limits,
  },
  scan_external_skills: {
    queue: 'external-skill-scan',
    summary: 'Registers the Skills that a host has for a Scope.',
    payload: z.object(hostPayload),
    group: 'scope',
    coalesces: 'never',
    limits,
  },
  list_external_skills: {
    queue: 'external-skill-scan',
    summary: 'Checks the registered Skills of a host against its files.',
    payload: z.object({ ...hostPayload, include_unavailable: z.boolean() }),
    group: 'payload',
    coalesces: 'never',
    limits,
  },
  resolve_external_skill: {
    queue: 'external-skill-scan',
    summary: 'Checks one registered Skill of a host against its files.',
    payload: z.object({ ...hostPayload, ...versionPayload }),
    group: 'payload',
    coalesces: 'never',
    limits,
  },
  import_external_skill: {
    queue: 'external-skill-scan',
    summary: 'Copies a Skill of a host into a Candidate.',
    payload: z.object({
      ...hostPayload,
      ...versionPayload,
      ...candidatePayload,
      mode: importMode,
      reason: str(1, 2000).nullable(),
    }),
    group: 'key',
    coalesces: 'until-ended',
    limits,
  },
  reconcile_remote_skills: {
    queue: 'remote-reconcile',
    summary: 'Compares what a Receiver has installed with what is published to its target.',
    payload: z.object({
      scope_id: scopeId,
      target_id: targetId,
      observations: z.array(remoteSkillObservation),
      receiver_version: receiverVersion,
      environment_fingerprint: hex64.nullable(),
    }),
    group: 'target',
    coalesces: 'never',
    limits,
  },
  get_handoff_report: {
    queue: 'report-render',
    summary: 'Renders a Handoff Report as JSON or Markdown.',
    payload: reportJobPayload,
    group: 'payload',
    coalesces: 'until-begun',
    limits: reportLimits,
  },
  view_handoff_report: {
    queue: 'report-render',
    summary: 'Renders a Handoff Report as a page.',
    payload: pageJobPayload,
    group: 'payload',
    coalesces: 'until-begun',
    limits: reportLimits,
  },
} as const satisfies Record<string, JobSpec>;

export type JobName = keyof typeof jobCatalog;
export type QueueName = (typeof jobCatalog)[JobName]['queue'];
/** The jobs of some queues. */
export type JobNameOf<Queue extends QueueName> = {
  [Name in JobName]: (typeof jobCatalog)[Name]['queue'] extends Queue ? Name : never;
}[JobName];
export type JobPayload<Name extends JobName = JobName> = z.output<(typeof jobCatalog)[Name]['payload']>;

/** Every queue of the service, each once, in the order of spec 00 §7. */
export const queueNames: readonly QueueName[] = [
  ...new Set(Object.values(jobCatalog).map(({ queue }) => queue)),
];

const hostQueues: ReadonlySet<string> = new Set(
  Object.values<JobSpec>(jobCatalog)
    .filter(({ payload }) => 'host_id' in payload.shape)
    .map(({ queue }) => queue),
);

/** Whether the jobs of a queue name a host in `host_id`: only the workers of that host take them. */
export function isHostQueue(queue: QueueName): boolean {
  return hostQueues.has(queue);
}

/** The queue of the report workers, which take from no other one. */
export const reportQueue = 'report-render' satisfies QueueName;

/** The queues of all other workers. */
export type WorkerQueueName = Exclude<QueueName, typeof reportQueue>;

export const workerQueueNames: readonly WorkerQueueName[] = queueNames.filter((name) => name !== reportQueue);
