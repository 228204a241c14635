import { call } from './call.ts';
import type { ErrorCode } from './contract-types.ts';
import { ServiceError } from './errors.ts';
import { errorStatuses, operations } from './generated/operations.ts';
import { sleep } from './retry.ts';
import type { CallOptions, ClientOptions, ResponseOf } from './types.ts';

type Job = ResponseOf<'get_job'>;

const firstPollMs = 200;
const maxPollMs = 5_000;

/** Polls a job until it ends, and returns its result. Throws `ServiceError` with the error of a job that failed. */
export async function waitForJob(
  client: ClientOptions,
  jobId: string,
  options: CallOptions,
  signal: AbortSignal,
): Promise<unknown> {
  for (let pollMs = firstPollMs; ; pollMs = Math.min(maxPollMs, pollMs * 2)) {
    const job = (await call(client, operations.getJob, { job_id: jobId }, options, signal)) as Job;
    if (job.status === 'succeeded') return job.result;
    if (job.status !== 'queued' && job.status !== 'running') throw toServiceError(job);
    await sleep(pollMs, signal);
  }
}

/** The error of a job, as its operation would have answered with it. */
function toServiceError({ job_id, status, error }: Job): ServiceError {
  if (error === null) throw new Error(`Job ${job_id} ended as ${status} without an error.`);
  const { code, message, details } = error as { code: ErrorCode; message: string; details: unknown };
  const answer = { status: errorStatuses[code], headers: new Headers() };
  return new ServiceError({ error: { code, message, details } }, answer);
}
