import { type JobName, type JobPayload, jobCatalog } from '@continuity/contract';
import type { Sql, TenantId } from '@continuity/kernel/database';
import { digestHex, type JsonValue } from '@continuity/kernel/json';
import type { QueueProducer } from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import type { NewJob } from './job.ts';
import { writeBackgroundJob } from './write.ts';

interface JobRequest<Name extends JobName> {
  tenantId: TenantId;
  /** Null for a job of several Scopes. */
  scopeId: string | null;
  payload: JobPayload<Name>;
}

/** The jobs that the catalog groups by their key. */
type KeyedJobName = {
  [Name in JobName]: (typeof jobCatalog)[Name]['group'] extends 'key' ? Name : never;
}[JobName];

/** A job that is matched by the key of its work. */
export type KeyedJob = NewJob & { workKey: Buffer };

/** A job as the catalog describes it. */
export function newJob<Name extends Exclude<JobName, KeyedJobName>>(
  name: Name,
  request: JobRequest<Name>,
): NewJob {
  const fields = fieldsOf(name, request);
  return { ...fields, group: `${name}:${groupKeyOf(name, request, fields)}`, workKey: null };
}

function groupKeyOf(
  name: JobName,
  { scopeId, payload }: JobRequest<JobName>,
  fields: ReturnType<typeof fieldsOf>,
): string | null {
  switch (jobCatalog[name].group) {
    case 'scope':
      return groupOfScope(fields);
    case 'target':
      return digestHex([scopeId, 'target_id' in payload ? payload.target_id : null]);
    default:
      return digestHex(payload);
  }
}

/** A job that the catalog groups by the key of its work. `workKey` is a SHA-256. */
export function newKeyedJob<Name extends KeyedJobName>(
  name: Name,
  request: JobRequest<Name> & { workKey: Buffer },
): KeyedJob {
  const { workKey } = request;
  return { ...fieldsOf(name, request), group: `${name}:${workKey.toString('hex')}`, workKey };
}

/** A group has jobs of one host only: a worker claims the first job of a group. */
function groupOfScope({ scopeId, hostId }: Pick<NewJob, 'scopeId' | 'hostId'>): string {
  return hostId === null ? `${scopeId}` : `${digestHex(hostId)}:${scopeId}`;
}

function fieldsOf<Name extends JobName>(name: Name, { tenantId, scopeId, payload }: JobRequest<Name>) {
  const { queue, coalesces } = jobCatalog[name];
  const request: JsonValue = payload;
  const hostId = 'host_id' in payload ? String(payload.host_id) : null;
  return { tenantId, queue, hostId, operation: name, scopeId, request, coalesces };
}

/**
 * Queues a job that no request waits for. False when its group already has a queued background job. When the queue store is
 * down, the row stays and the sweep enqueues it.
 */
export async function queueBackgroundJob(
  { sql, producer, logger }: { sql: Sql; producer: QueueProducer; logger: Logger },
  job: NewJob,
): Promise<boolean> {
  const entry = await writeBackgroundJob(sql, job);
  if (entry === undefined) return false;
  try {
    await producer.add([entry]);
  } catch (error) {
    logger.warn({ err: error, queue: job.queue, job_id: entry.jobId }, 'queueing a background job failed');
  }
  return true;
}
