import { ServiceError } from './service-error.ts';

/** Serialization failure, deadlock: the transaction left nothing behind and may run again. */
const retryableStates = new Set(['40001', '40P01']);

/** SQLSTATE classes and codes of a server that is gone, going, starting, full or read-only. */
const unavailableStates = /^(08|53|57P0[1-5]|58|25006|XX)/;

/** What the socket says when no server answers. */
const unavailableSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** What node-postgres says without a code when a connection is lost or none is free in time. */
const unavailableMessages =
  /connection terminated|timeout exceeded when trying to connect|connection ended unexpectedly|client has encountered a connection error|query read timeout|cannot use a pool after calling end|client was closed/i;

/** True for an error after which the same transaction may be run again from its start. */
export function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error) ?? '');
}

/** True where an insert met an equal key of the named constraint (or of any, when none is named). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

/** 503 `database_unavailable` for a database that cannot answer; undefined for any other error. */
export function fromDatabaseError(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error) || error instanceof ServiceError) return undefined;
  if (!isUnavailable(error)) return undefined;
  return new ServiceError(
    'database_unavailable',
    'The database does not answer. Try again shortly.',
    {},
    {
      cause: error,
    },
  );
}

function isUnavailable(error: Error): boolean {
  const code = codeOf(error);
  if (code !== undefined && (unavailableSockets.has(code) || unavailableStates.test(code))) return true;
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isUnavailable(one));
  return unavailableMessages.test(error.message);
}

/** The SQLSTATE or socket code, also where Prisma wraps the driver's error. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, meta } = error as {
    code?: unknown;
    cause?: unknown;
    meta?: { driverAdapterError?: unknown };
  };
  if (typeof code === 'string' && !code.startsWith('P')) return code;
  return (
    codeOf(meta?.driverAdapterError) ??
    codeOf(
      (cause as { originalCode?: unknown })?.originalCode && {
        code: (cause as { originalCode: unknown }).originalCode,
      },
    ) ??
    codeOf(cause)
  );
}
