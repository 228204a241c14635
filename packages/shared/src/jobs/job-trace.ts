import type { QueueName } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { ServiceError } from '@continuity/kernel/errors';
import { describeFailure, type Logger, withSpan, withTrace } from '@continuity/kernel/telemetry';

/** The fields of a job in its log line and span. */
interface ObservedJob {
  tenantId: TenantId;
  jobId: string;
  queue: QueueName;
  /** Name of the job. */
  operation: string;
  attempt: number;
  background: boolean;
  /** `traceparent` of the request. */
  trace: string | null;
}

/** The end of one run of a job. */
interface JobRun {
  outcome: 'succeeded' | 'failed' | 'cancelled' | 'lost';
  /** From the request to the run, and of the run, in milliseconds. */
  waitedMs: number;
  ms: number;
  /** The error of the handler. */
  error?: unknown;
}

const messaging = (operation: 'send' | 'process', queue: QueueName) => ({
  'messaging.operation.type': operation,
  'messaging.destination.name': queue,
});

/** Span of a job's submission. Inside it, `currentTrace` is the parent of the worker's span. */
export function traceSend<T>(queue: QueueName, send: () => Promise<T>): Promise<T> {
  return withSpan(`send ${queue}`, { role: 'producer', attributes: messaging('send', queue) }, send);
}

/** Span of one run of a job, in the trace of its request (spec 00 §7). */
export function traceRun<T>(job: ObservedJob, run: () => Promise<T>): Promise<T> {
  const attributes = {
    ...messaging('process', job.queue),
    'messaging.message.id': job.jobId,
    'continuity.operation': job.operation,
    'continuity.attempt': job.attempt,
  };
  return withTrace(job.trace, `process ${job.queue}`, attributes, run);
}

/** Logs one line for a run. */
export function logRun(logger: Logger, job: ObservedJob, { outcome, waitedMs, ms, error }: JobRun): void {
  const failure = outcome === 'failed' ? describeFailure(error) : undefined;
  logger[levelOf(outcome, error)](
    {
      queue: job.queue,
      operation: job.operation,
      tenant: job.tenantId,
      job_id: job.jobId,
      attempt: job.attempt,
      background: job.background,
      outcome,
      waited_ms: Math.round(waitedMs),
      duration_ms: Math.round(ms * 1000) / 1000,
      ...(failure !== undefined && { code: failure.type }),
      ...(failure?.isFault && { err: error }),
    },
    'job',
  );
}

/** Level: `error` for an unexpected failure, `warn` for a failure of the contract, `info` for a caller's mistake. */
function levelOf(outcome: JobRun['outcome'], error: unknown): 'info' | 'warn' | 'error' {
  if (outcome === 'succeeded' || outcome === 'cancelled') return 'info';
  if (outcome === 'lost') return 'warn';
  if (!(error instanceof ServiceError) || error.code === 'internal_error') return 'error';
  return error.status >= 500 ? 'warn' : 'info';
}
