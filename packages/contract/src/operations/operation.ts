import type { z } from 'zod';
import { commonErrors, type ErrorCode } from '../errors/records.ts';
import { type JobName, jobCatalog, type QueueName } from '../jobs/catalog.ts';

type Shape = z.ZodType;

export const KiB = 1024;
export const MiB = 1024 * KiB;

const defaultBodyLimit = 256 * KiB;
/** Parsing so many keys, and finding that they are unknown, takes under 50 ms of processor time. */
const defaultMaxBodyValues = 20_000;

export interface Example {
  summary: string;
  /** Values of path parameters, query and headers, by name. */
  parameters?: Record<string, string>;
  body?: unknown;
  response: unknown;
}

/** A success status besides the main one, such as 304 or 202. `response` null means an empty body. */
export interface OtherSuccess {
  status: number;
  description: string;
  response: Shape | null;
  /** Response headers, by name, with a description. */
  headers?: Record<string, string>;
  /** Format for the documents. */
  example?: Example;
}

/** The record of an operation. Routes, validation, OpenAPI, SDK types and tests derive from it. */
export interface OperationSpec {
  /** Snake case; also the name in logs, metrics and spans. */
  id: string;
  method: 'GET' | 'POST' | 'PUT';
  /** With `{name}` for path parameters. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `bearer`: a token of a tenant. `target`: the credential of a remote target. `code`: a one-time code in the body. */
  auth: 'public' | 'bearer' | 'target' | 'code';
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Keyed by the lower-case header name. */
  headers?: z.ZodObject;
  body?: Shape;
  /** Largest body in bytes, 256 KiB if absent. The deployment's `BODY_LIMIT_BYTES` applies too. */
  bodyLimit?: number;
  /** Most JSON values in a body, 20,000 if absent. It is more where the shape allows more. */
  maxBodyValues?: number;
  /** The one of `body`'s shapes that path parameters choose; `body` itself where it is left out. */
  bodyFor?: (params: never) => Shape;
  /** The header without which a write is 428 (lower case), asked for before the body is looked at. */
  precondition?: 'if-match';
  status: number;
  response: Shape;
  /** Response headers of the success answer, by name, with a description. */
  responseHeaders?: Record<string, string>;
  /** Media type of the success answer, JSON if absent. `response` is then the shape of its text. */
  mediaType?: string;
  /** Other media types that the success answer can have, each with when it does. */
  otherMedia?: Record<string, string>;
  /** No cache may keep any answer of the path, errors included. The path has no parameters. */
  noStore?: true;
  otherSuccesses?: OtherSuccess[];
  /** A 503 that has the success shape instead of the envelope: readiness alone. */
  unavailableResponse?: Shape;
  /** Own errors, besides those that each operation of its kind can give. */
  errors: ErrorCode[];
  /** A repeat after a lost answer would be a conflict, or write twice. Clients do not repeat such a call by themselves. */
  isUnsafeToRepeat?: true;
  /** `job`: a worker runs the job of the catalog that has the operation's id. */
  run: 'direct' | 'job';
  /** `Prefer: respond-async` has no effect: the answer of a job is for a person who waits. */
  waitsAlways?: true;
  examples: Example[];
}

type Output<S> = S extends Shape ? z.output<S> : undefined;

/** Everything a handler gets of the request, after validation. */
export interface OperationInput<S extends OperationSpec> {
  params: Output<S['params']>;
  query: Output<S['query']>;
  headers: Output<S['headers']>;
  body: Output<S['body']>;
}

export type OperationResponse<S extends OperationSpec> = z.input<S['response']>;

/** Declares an operation, keeping its exact types. One that runs as a job has the id of a job. */
export function defineOperation<const S extends OperationSpec>(
  spec: S & (S['run'] extends 'job' ? { id: JobName } : unknown),
): S {
  return spec;
}

/** Largest body of the operation in bytes, in a deployment that does not lower it. */
export function bodyLimitOf({ bodyLimit = defaultBodyLimit }: OperationSpec): number {
  return bodyLimit;
}

/** Most JSON values in a body of the operation. */
export function maxBodyValuesOf({ maxBodyValues = defaultMaxBodyValues }: OperationSpec): number {
  return maxBodyValues;
}

/** The queue whose workers run the operation; undefined for a direct one. */
export function queueOf({ id, run }: OperationSpec): QueueName | undefined {
  return run === 'job' ? jobCatalog[id as JobName].queue : undefined;
}

/** Errors that follow from how an operation runs (spec 00 §7). */
const queueErrors = [
  'worker_unavailable',
  'queue_unavailable',
  'job_timeout',
  'job_cancelled',
] as const satisfies ErrorCode[];

/** Every error code that the operation can answer, each once. */
export function errorsOf(operation: OperationSpec): ErrorCode[] {
  const own = operation.run === 'direct' ? operation.errors : [...operation.errors, ...queueErrors];
  const { auth, method, params, query, headers, body } = operation;
  const inapplicable = new Set<ErrorCode>();
  // The tenant of a code is known too late for its rate limit.
  if (auth === 'code') inapplicable.add('rate_limited');
  // The service ignores the body of a write without one, but reads it.
  if (body === undefined && method === 'GET')
    inapplicable.add('unsupported_media_type').add('body_too_large');
  if (!(params ?? query ?? headers ?? body)) inapplicable.add('invalid_request');
  return [...new Set([...own, ...commonErrorsOf(operation)])].filter((code) => !inapplicable.has(code));
}

function commonErrorsOf({ auth }: OperationSpec): readonly ErrorCode[] {
  return auth === 'public' ? ['method_not_allowed', 'internal_error'] : commonErrors;
}
