import { type ErrorCode, errorCatalogue, type Issue, maxIssues } from '@continuity/contract';

export type ErrorDetails = Record<string, unknown>;

/** The body of every error answer (spec 00 §3). */
export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string; details: ErrorDetails };
}

/**
 * A failure that the caller is told about. `message` and `details` leave the service as they are, so they never hold
 * a secret, SQL, a stack or another tenant's data.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code];
  }

  toEnvelope(): ErrorEnvelope {
    return { error: { code: this.code, message: this.message, details: this.details } };
  }
}

/** A 422 with all that was found wrong, up to 100 issues. */
export function invalidRequest(issues: Issue[]): ServiceError {
  const first = issues[0];
  const message = first === undefined ? 'The request is not valid.' : describe(first);
  return new ServiceError('invalid_request', message, { issues: issues.slice(0, maxIssues) });
}

/** 422 with the issues, if there are any: for what a shape cannot say. */
export function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw invalidRequest(issues);
}

function describe(issue: Issue): string {
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`;
}
