import {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  type ErrorEnvelope,
  errorRecords,
  type Issue,
  maxIssues,
} from '@continuity/contract';

/**
 * A failure that the service sends to the caller. `message` and `details` never hold a secret, SQL,
 * a stack or another tenant's data. Create one with `serviceError`.
 */
export class ServiceError extends Error {
  readonly #body: ErrorBody;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.name = 'ServiceError';
    this.#body = body;
  }

  get code(): ErrorCode {
    return this.#body.code;
  }

  get details(): ErrorDetails {
    return this.#body.details;
  }

  get status(): number {
    return errorRecords[this.code].status;
  }

  toBody(): ErrorBody {
    return this.#body;
  }

  toEnvelope(): ErrorEnvelope {
    return { error: this.#body };
  }
}

interface Specifics {
  /** Replaces the default message of the code. Says what is wrong in this case, and what to do. */
  message?: string;
  cause?: unknown;
}

/** Arguments of a throw: they include `details` if the code has required ones. */
type SpecificsOf<Code extends ErrorCode> =
  Record<never, never> extends ErrorDetails<Code>
    ? [specifics?: Specifics & { details?: ErrorDetails<Code> }]
    : [specifics: Specifics & { details: ErrorDetails<Code> }];

/** The error of a code, with the details that its record declares. */
export function serviceError<Code extends ErrorCode>(
  code: Code,
  ...[specifics = {}]: SpecificsOf<Code>
): ServiceError {
  const {
    message = errorRecords[code].message,
    details = {},
    cause,
  }: Specifics & { details?: unknown } = specifics;
  const body = { code, message, details } as ErrorBody;
  return new ServiceError(body, cause === undefined ? undefined : { cause });
}

/** A 422 with the first issues that were found. */
export function invalidRequest(issues: Issue[]): ServiceError {
  const [first] = issues;
  return serviceError('invalid_request', {
    ...(first !== undefined && { message: describe(first) }),
    details: { issues: issues.slice(0, maxIssues) },
  });
}

/** Throws a 422 with the issues, if there are any. */
export function requireNoIssues(issues: Issue[]): void {
  if (issues.length > 0) throw invalidRequest(issues);
}

function describe({ path, message }: Issue): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Message and details of a 409 for a record that is not at the expected version. `record` is its noun in the message. */
export function staleVersion(record: string, expected: number, current: number) {
  return {
    message: `Version ${expected} was expected, but ${current} is current. Read the ${record} and decide again.`,
    details: { expected_version: expected, current_version: current },
  };
}
