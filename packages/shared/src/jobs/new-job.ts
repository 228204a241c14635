import { type JobName, type JobPayload, jobCatalogue } from '@continuity/contract';
import { digestHex, type JsonValue } from '@continuity/shared/kernel';
import type { NewJob } from './job.ts';

export interface JobRequest<Name extends JobName> {
  tenantId: number;
  scopeId: string;
  payload: JobPayload<Name>;
}

/** A job as the catalogue describes it. */
export function newJob<Name extends JobName>(
  name: Name,
  { tenantId, scopeId, payload }: JobRequest<Name>,
): NewJob {
  const { queue, group, coalesces } = jobCatalogue[name];
  const request: JsonValue = payload;
  const key = group === 'scope' ? scopeId : digestHex(request);
  return { tenantId, queue, operation: name, scopeId, group: `${name}:${key}`, request, coalesces };
}
