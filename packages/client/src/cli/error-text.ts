import { CommanderError } from 'commander';
import { ServiceError, UnexpectedAnswerError } from '../errors.ts';

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
