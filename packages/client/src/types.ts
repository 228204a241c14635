import type { OperationId, RequestOf, ResponseOf } from './contract-types.ts';
import type { ClientTable, PagedName, QueuedName } from './generated/operations.ts';

export type { OperationId, RequestOf, ResponseOf } from './contract-types.ts';

/** The answer to an operation whose job is queued and not waited for. */
export interface JobReceipt {
  job_id: string;
  status: string;
  status_url: string;
}

export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:8000`; a path before `/v1` is kept. */
  baseUrl: string;
  /** Token of a tenant, or a function that returns the current one for each attempt. */
  token?: string | (() => string | Promise<string>);
  /** Limit of a call in milliseconds, with all its attempts and waits. Default 60,000. */
  timeoutMs?: number;
  /** Attempts of a call that is safe to repeat. Default 4. */
  maxAttempts?: number;
  /** Headers of each attempt, such as W3C trace context: `() => ({ traceparent })`. */
  headers?: () => Record<string, string>;
  /** Throws for an answer that breaks its schema. `@continuity/client/check` has one. */
  checkAnswer?: (id: OperationId, status: number, body: unknown) => void;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call when it aborts. */
  signal?: AbortSignal;
  /** Limit of this call in milliseconds, with all its attempts and waits. */
  timeoutMs?: number;
  /** Headers of each attempt, besides those of the client. */
  headers?: Record<string, string>;
  /** An entity tag, or an answer that had one: the write happens only if nobody changed the Artifact since. */
  ifMatch?: string | object;
  /** Key of a create that has no identity of its own. Default: a random one for each call. */
  idempotencyKey?: string;
}

/** One method: a request without required fields may be left out. */
export type Method<Request, Answer> = object extends Request
  ? (request?: Request, options?: CallOptions) => Promise<Answer>
  : (request: Request, options?: CallOptions) => Promise<Answer>;

/** The id of the operation of a method. */
type IdOf<Name extends keyof ClientTable> = ClientTable[Name]['id'];

export type Methods = {
  [Name in keyof ClientTable]: Method<RequestOf<IdOf<Name>>, ResponseOf<IdOf<Name>>>;
};

type Item<Answer> = {
  [Key in keyof Answer]-?: Answer[Key] extends (infer One)[] ? One : never;
}[keyof Answer];

type Iterate<Request, One> = object extends Request
  ? (request?: Request, options?: CallOptions) => AsyncGenerator<One, void, undefined>
  : (request: Request, options?: CallOptions) => AsyncGenerator<One, void, undefined>;

/** Operations with a cursor, as iterators over the items of all pages. */
export type Iterators = {
  [Name in PagedName]: Iterate<Omit<RequestOf<IdOf<Name>>, 'cursor'>, Item<ResponseOf<IdOf<Name>>>>;
};

/** Queued operations that answer at once with their job. */
export type Enqueued = { [Name in QueuedName]: Method<RequestOf<IdOf<Name>>, JobReceipt> };
