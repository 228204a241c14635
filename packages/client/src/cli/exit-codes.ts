import { ConnectionError, InvalidRequestError, ServiceError, UnexpectedAnswerError } from '../errors.ts';

/** Exit codes by class of error; 1 is for anything else. */
export const exitCodes = { usage: 2, token: 3, notFound: 4, conflict: 5, unavailable: 6 } as const;

/** Wrong arguments or settings. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Statuses of refusals with a meaning of their own. Every other 4xx is a refused request. */
const byStatus: Record<number, number> = {
  401: exitCodes.token,
  403: exitCodes.token,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  412: exitCodes.conflict,
  428: exitCodes.conflict,
  429: exitCodes.unavailable,
  503: exitCodes.unavailable,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof ServiceError) return exitCodeOfStatus(error.status);
  if (error instanceof UsageError || error instanceof InvalidRequestError) return exitCodes.usage;
  // By name: only the commands of the Receiver load its module.
  if ((error as { name?: unknown } | null)?.name === 'ReceiverError') return exitCodes.conflict;
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError)
    return exitCodes.unavailable;
  return (error as { name?: unknown } | null)?.name === 'TimeoutError' ? exitCodes.unavailable : 1;
}

function exitCodeOfStatus(status: number): number {
  return byStatus[status] ?? (status >= 400 && status < 500 ? exitCodes.usage : 1);
}
