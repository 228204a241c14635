import { type ErrorCode, errorCatalogue, type QueueName } from '@continuity/contract';
import {
  type ErrorDetails,
  fromDatabaseError,
  type JsonValue,
  ServiceError,
} from '@continuity/shared/kernel';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed';

/** Work to be put behind a queue. */
export interface NewJob {
  tenantId: number;
  queue: QueueName;
  /** The operation's id. */
  operation: string;
  scopeId: string | null;
  /** Jobs of one tenant, queue and lane run one after the other. */
  lane: string;
  request: JsonValue;
  /** Equal requests share the job while it waits or runs. Else each has its own, unless the earlier caller has gone. */
  shared?: boolean;
}

/** A job that this process runs. `attempt` says which run: an older one can no longer write. */
export interface ClaimedJob extends NewJob {
  jobId: string;
  background: boolean;
  attempt: number;
  /** W3C `traceparent` of the request. */
  trace: string | null;
}

/** An error as a job's row keeps it. */
export interface StoredError {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

/** How a job ended. */
export interface JobOutcome {
  status: 'succeeded' | 'failed';
  result: JsonValue;
  error: unknown;
}

export type JobEventName = 'queued' | 'claimed' | 'succeeded' | 'failed' | 'requeued' | 'lost';

/** Something that happened to a job, told after its commit. */
export interface JobEvent {
  queue: QueueName;
  event: JobEventName;
  /** `claimed`: time since the request. `succeeded`, `failed`, `lost`: time of the run. Else 0. */
  ms: number;
}

export type OnJobEvent = (event: JobEvent) => void;

/** What a failed run leaves in its job: a `ServiceError` as it is, anything else without a word about its cause. */
export function storedErrorOf(error: unknown): StoredError {
  const known = error instanceof ServiceError ? error : fromDatabaseError(error);
  if (known !== undefined) return { code: known.code, message: known.message, details: known.details };
  return { code: 'internal_error', message: 'The service failed to do this work.', details: {} };
}

/** The result of a job that succeeded. Throws the error of one that failed. */
export function resultOf({ status, result, error }: JobOutcome): JsonValue {
  if (status === 'succeeded') return result;
  const { code, message, details } = error as StoredError;
  // A row of a newer version may have a code that this one does not know.
  const known = code in errorCatalogue ? code : 'internal_error';
  throw new ServiceError(known, message, details);
}
