import { type JobName, type JobPayload, jobCatalogue } from '@continuity/contract';
import { digestHex, type JsonValue, type TenantId } from '@continuity/shared/kernel';
import type { NewJob } from './job.ts';

export interface JobRequest<Name extends JobName> {
  tenantId: TenantId;
  /** Null for a job of several Scopes. */
  scopeId: string | null;
  payload: JobPayload<Name>;
}

/** The jobs that the catalogue groups by their key. */
type KeyedJobName = {
  [Name in JobName]: (typeof jobCatalogue)[Name]['group'] extends 'key' ? Name : never;
}[JobName];

/** A job that is matched by the key of its work. */
export type KeyedJob = NewJob & { workKey: Buffer };

/** A job as the catalogue describes it. */
export function newJob<Name extends Exclude<JobName, KeyedJobName>>(
  name: Name,
  request: JobRequest<Name>,
): NewJob {
  const key = jobCatalogue[name].group === 'scope' ? request.scopeId : digestHex(request.payload);
  return { ...fieldsOf(name, request), group: `${name}:${key}`, workKey: null };
}

/** A job that the catalogue groups by the key of its work. `workKey` is a SHA-256. */
export function newKeyedJob<Name extends KeyedJobName>(
  name: Name,
  request: JobRequest<Name> & { workKey: Buffer },
): KeyedJob {
  const { workKey } = request;
  return { ...fieldsOf(name, request), group: `${name}:${workKey.toString('hex')}`, workKey };
}

function fieldsOf<Name extends JobName>(name: Name, { tenantId, scopeId, payload }: JobRequest<Name>) {
  const { queue, coalesces } = jobCatalogue[name];
  const request: JsonValue = payload;
  return { tenantId, queue, operation: name, scopeId, request, coalesces };
}
