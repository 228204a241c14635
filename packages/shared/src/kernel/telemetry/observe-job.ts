import { ServiceError } from '../errors/index.ts';
import type { QueueName } from '../queue/names.ts';
import { describeFailure } from './describe-failure.ts';
import type { Logger } from './logger.ts';
import { withTrace } from './tracing.ts';

/** What a line and a span say of a job. */
export interface ObservedJob {
  tenantId: number;
  jobId: string;
  queue: QueueName;
  /** The operation's id. */
  operation: string;
  attempt: number;
  background: boolean;
  /** `traceparent` of the request. */
  trace: string | null;
}

/** Runs the work of one job inside the trace of its request, and logs one line when it has ended. */
export function observeJob(logger: Logger, job: ObservedJob, work: () => Promise<void>): Promise<void> {
  const attributes = {
    'messaging.operation.type': 'process',
    'messaging.destination.name': job.queue,
    'messaging.message.id': job.jobId,
    'continuity.operation': job.operation,
    'continuity.attempt': job.attempt,
  };
  return withTrace(job.trace, `process ${job.queue}`, attributes, () => logged(logger, job, work));
}

async function logged(logger: Logger, job: ObservedJob, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const line = () => ({
    queue: job.queue,
    operation: job.operation,
    tenant: job.tenantId,
    job_id: job.jobId,
    attempt: job.attempt,
    background: job.background,
    duration_ms: Math.round((performance.now() - begun) * 1000) / 1000,
  });
  try {
    await work();
    logger.info({ ...line(), outcome: 'succeeded' }, 'job');
  } catch (error) {
    const { type, isFault } = describeFailure(error);
    const outcome = type === 'JobLostError' ? 'lost' : 'failed';
    const level = levelOf(error, isFault);
    logger[level]({ ...line(), outcome, code: type, ...(isFault && { err: error }) }, 'job');
    throw error;
  }
}

/** A failure that the contract names is a warning; one that nobody foresaw is an error. */
function levelOf(error: unknown, isFault: boolean): 'info' | 'warn' | 'error' {
  if (!isFault) return 'info';
  const foreseen = error instanceof ServiceError && error.code !== 'internal_error';
  return foreseen || (error instanceof Error && error.name === 'JobLostError') ? 'warn' : 'error';
}
