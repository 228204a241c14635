import { CommanderError } from 'commander';
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
  // A quota is used up: later the same command completes. A service with quotas is newer than this client may be.
  if (error instanceof ServiceError && (error.code as string) === 'quota_exceeded')
    return exitCodes.unavailable;
  if (error instanceof ServiceError) return exitCodeOfStatus(error.status);
  if (error instanceof UsageError || error instanceof InvalidRequestError) return exitCodes.usage;
  // By name: only `import` loads its module.
  if ((error as { name?: unknown } | null)?.name === 'MissingPathError') return exitCodes.notFound;
  // By name: only the commands of the Receiver load its module.
  if ((error as { name?: unknown } | null)?.name === 'ReceiverError') return exitCodes.conflict;
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError)
    return exitCodes.unavailable;
  return (error as { name?: unknown } | null)?.name === 'TimeoutError' ? exitCodes.unavailable : 1;
}

function exitCodeOfStatus(status: number): number {
  return byStatus[status] ?? (status >= 400 && status < 500 ? exitCodes.usage : 1);
}

/** An error in the form of the service's error answers, which `--json` prints. Errors of the client have the code `client_error`. */
export function toEnvelope(error: unknown): { error: { code: string; message: string; details: unknown } } {
  const { code, details } = error instanceof ServiceError ? error : { code: 'client_error', details: {} };
  return { error: { code, message: messageOf(error), details } };
}

/** An error as one line for people, with the code of the service. */
export function toLine(error: unknown): string {
  return error instanceof ServiceError ? `${messageOf(error)} (${error.code})` : messageOf(error);
}

/** An error for people: its line, and a line for each further issue of a refused request, whose message tells the first one. */
export function toText(error: unknown): string {
  const [, ...further] = issuesOf(error);
  return [toLine(error), ...further.map(({ path, message }) => `  ${path}: ${message}`)].join('\n');
}

function issuesOf(error: unknown): { path: string; message: string }[] {
  const { issues } = (error instanceof ServiceError ? error.details : {}) as { issues?: unknown };
  return Array.isArray(issues) ? issues : [];
}

/** The message of an error, with advice in terms of the command line. */
function messageOf(error: unknown): string {
  if (error instanceof UnexpectedAnswerError && error.origin !== undefined && error.status < 500) {
    return `${error.origin} is another service (HTTP ${error.status}). Correct --url or CONTINUITY_URL.`;
  }
  if (error instanceof CommanderError) return usageMessageOf(error);
  return error instanceof Error ? error.message : String(error);
}

/** Commander throws `(outputHelp)` where a command is missing. */
function usageMessageOf({ code, message }: CommanderError): string {
  return code === 'commander.help'
    ? 'A command is missing. See: continuity --help'
    : message.replace(/^error: /, '');
}
