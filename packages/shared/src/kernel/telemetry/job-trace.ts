import type { QueueName } from '@continuity/contract';
import { ServiceError } from '../errors/index.ts';
import { describeFailure } from './describe-failure.ts';
import type { Logger } from './logger.ts';
import { withSpan, withTrace } from './tracing.ts';

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

/** How one run of a job ended. */
export interface JobRun {
  outcome: 'succeeded' | 'failed' | 'lost';
  /** Milliseconds from the request to the run, and of the run. */
  waitedMs: number;
  ms: number;
  /** What the handler threw. */
  error?: unknown;
}

const messaging = (operation: 'send' | 'process', queue: QueueName) => ({
  'messaging.operation.type': operation,
  'messaging.destination.name': queue,
});

/** Gives a job away: inside, `currentTrace` is what the worker goes on with. */
export function traceSend<T>(queue: QueueName, send: () => Promise<T>): Promise<T> {
  return withSpan(`send ${queue}`, { role: 'producer', attributes: messaging('send', queue) }, send);
}

/** One run of a job, inside the trace of its request (spec 00 §7). */
export function traceRun<T>(job: ObservedJob, run: () => Promise<T>): Promise<T> {
  const attributes = {
    ...messaging('process', job.queue),
    'messaging.message.id': job.jobId,
    'continuity.operation': job.operation,
    'continuity.attempt': job.attempt,
  };
  return withTrace(job.trace, `process ${job.queue}`, attributes, run);
}

/** The one line of a run. */
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

/** A failure that the contract names is a warning, a caller's mistake no news, one that nobody foresaw an error. */
function levelOf(outcome: JobRun['outcome'], error: unknown): 'info' | 'warn' | 'error' {
  if (outcome === 'succeeded') return 'info';
  if (outcome === 'lost') return 'warn';
  if (!(error instanceof ServiceError) || error.code === 'internal_error') return 'error';
  return error.status >= 500 ? 'warn' : 'info';
}
