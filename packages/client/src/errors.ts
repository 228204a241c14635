import type { ErrorCode, ErrorDetails } from './contract-types.ts';

interface Envelope {
  error: { code: ErrorCode; message: string; details: unknown };
}

/** A refusal of the service. Narrow it by `code`: `details` has the type of that code. */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError';
  readonly code: Code;
  /** HTTP status. */
  readonly status: number;
  readonly details: ErrorDetails<Code>;
  /** `X-Service-Request-ID` of the answer, for the operator of the service. */
  readonly requestId: string | null;
  /** Seconds of `Retry-After`, bounded to 1 to 900; null where the answer has none. */
  readonly retryAfterSeconds: number | null;

  constructor(envelope: Envelope, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    const { code, message, details } = envelope.error;
    super(message);
    this.code = code as Code;
    this.status = status;
    this.details = details as ErrorDetails<Code>;
    this.requestId = headers.get('x-service-request-id');
    this.retryAfterSeconds = retryAfterOf(headers);
  }

  /** True for this code; narrows `details`. */
  is<Wanted extends ErrorCode>(code: Wanted): this is ServiceError<Wanted> {
    return (this.code as ErrorCode) === code;
  }
}

/** No answer came: the connection failed or broke. `cause` is the error of `fetch`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A request that cannot be sent, such as an id that no URL can carry. */
export class InvalidRequestError extends TypeError {
  override readonly name = 'InvalidRequestError';
}

/** An answer that is not of the service, such as the page of a proxy. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** HTTP status. */
  readonly status: number;
  /** Origin that answered; undefined if the base URL is relative. */
  readonly origin: string | undefined;

  constructor(status: number, origin?: string) {
    const answer = `HTTP ${status} without an answer of the service. Check the base URL and proxies in between.`;
    super(origin === undefined ? answer : `${origin}: ${answer}`);
    this.status = status;
    this.origin = origin;
  }
}

export function isEnvelope(value: unknown): value is Envelope {
  const error = (value as Partial<Envelope> | null)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}

/** Bounds of a delay that an answer asks for, in seconds: nobody can make a client spin or sleep for days. */
const minRetryAfterSeconds = 1;
export const maxRetryAfterSeconds = 900;

/** The service sends seconds. A date, which a proxy may send, is ignored. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null || !/^\d+$/.test(text)) return null;
  return Math.min(maxRetryAfterSeconds, Math.max(minRetryAfterSeconds, Number(text)));
}
