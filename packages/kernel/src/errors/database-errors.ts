import { isObject } from '@continuity/contract';
import { ServiceError, serviceError } from './service-error.ts';

/** Serialization failure and deadlock: the transaction changed nothing and may run again. */
const retryableStates = new Set(['40001', '40P01']);

/** Keys that the database draws at random. A number that was drawn twice violates them once in a lifetime: the next one does not. */
const drawnKeys = ['tenants_pkey', 'scopes_pkey', 'artifacts_pkey', 'embedding_profiles_pkey'];

/**
 * SQLSTATE classes and codes of a server that is gone, stopping, starting, full or read-only, and of statements that exceed a
 * limit of their session (25P03, 55P03, 57014). 3D000: the database is being restored. 23503: a row that this process has just found
 * is gone, because the server has lost it in a failover or a restore. The service itself never deletes a row that another one can
 * refer to.
 */
const unavailableStates = /^(08|23503|3D000|53|57P0[1-5]|58|25006|25P03|55P03|57014|XX)/;

/** SQLSTATE of the trigger `follow_tenant_move`: the server refuses the writes of a tenant that moves, or has moved, to another one. */
const tenantMoved = 'CS002';

/** SQLSTATEs of a prepared statement that a pooler has lost, or has given to another client. */
const lostStatements = new Set(['26000', '42P05']);

/** Codes of a socket when no server answers. */
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

/** Messages of node-postgres, which have no code, when a connection is lost or none is free in time. */
const unavailableMessages =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|connection ended unexpectedly|client has encountered a connection error|query read timeout|cannot use a pool after calling end|client was closed/i;

/** Errors of Prisma's adapter that carry no code of the driver. */
const unavailableKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout']);

/** True for an error after which the same transaction may run again from its start. */
export function isRetryable(error: unknown): boolean {
  return retryableStates.has(describe(error)?.code ?? '') || isDrawnTwice(error);
}

/** True for a prepared statement that a pooler has lost, or has given to another client. */
export function isLostStatement(error: unknown): boolean {
  return lostStatements.has(describe(error)?.code ?? '');
}

/** True for a write of a tenant that is moving to another database server, or has moved. */
export function isTenantMoved(error: unknown): boolean {
  return describe(error)?.code === tenantMoved;
}

/** The 503 for a tenant that is moving to another database server. */
export function tenantIsMoving(cause?: unknown): ServiceError {
  return serviceError('database_unavailable', {
    message:
      'The data of this tenant is moving to another database server. Retry after the time in Retry-After.',
    ...(cause !== undefined && { cause }),
  });
}

/** True for a statement that the server did not run, because an earlier one of its transaction failed. */
export function isTransactionAborted(error: unknown): boolean {
  return describe(error)?.code === '25P02';
}

/** True for a violation of the named unique constraint (or of any, without a name), by SQL or by Prisma. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const described = describe(error);
  if (described?.code !== '23505') return false;
  // In partitioned tables, the constraint of a partition is named after that of its table.
  return constraint === undefined || described.constraint?.replace(/_p\d+$/, '') === constraint;
}

function isDrawnTwice(error: unknown): boolean {
  return drawnKeys.some((constraint) => isUniqueViolation(error, constraint));
}

/** 503 `database_unavailable` for a database that cannot answer; undefined for any other error. */
export function fromDatabaseError(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error) || error instanceof ServiceError) return undefined;
  if (isTenantMoved(error)) return tenantIsMoving(error);
  if (isLostStatement(error))
    return serviceError('database_unavailable', {
      message: 'The pooler of DATABASE_URL loses prepared statements: see DATABASE_PREPARED_STATEMENTS.',
      cause: error,
    });
  if (!isUnavailable(error) && !isDrawnTwice(error)) return undefined;
  return serviceError('database_unavailable', { cause: error });
}

function isUnavailable(error: Error): boolean {
  const { code = '', kind = '', syscall = 'connect' } = describe(error) ?? {};
  // A file is missing, not the Unix socket of the server.
  if (code === 'ENOENT' && syscall !== 'connect') return false;
  if (unavailableSockets.has(code) || unavailableStates.test(code) || unavailableKinds.has(kind)) return true;
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isUnavailable(one));
  return unavailableMessages.test(error.message);
}

interface DatabaseError {
  /** SQLSTATE or socket code. */
  code?: string | undefined;
  /** The system call that failed, as Node names it. Prisma leaves it out. */
  syscall?: string | undefined;
  /** Name of the violated constraint. */
  constraint?: string | undefined;
  /** Prisma's name of the error. */
  kind?: string;
}

/** The fields of the driver error, also if Prisma or another error wraps it. */
function describe(error: unknown): DatabaseError | undefined {
  if (!isObject(error)) return undefined;
  const { code, syscall, constraint, meta, kind, cause } = error;
  if (typeof kind === 'string')
    return { kind, code: textOf(error['originalCode']), constraint: indexOf(constraint) };
  if (typeof code === 'string' && !isPrismaCode(code))
    return { code, syscall: textOf(syscall), constraint: textOf(constraint) };
  return describe(isObject(meta) ? meta['driverAdapterError'] : undefined) ?? describe(cause);
}

/** Prisma names a constraint as `{ index }`. */
function indexOf(constraint: unknown): string | undefined {
  return isObject(constraint) ? textOf(constraint['index']) : undefined;
}

/** Prisma's code, such as `P2002`. A SQLSTATE that begins with P (`P0001`) is an error of PL/pgSQL. */
function isPrismaCode(code: string): boolean {
  return /^P[1-9]\d{3}$/.test(code);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
