import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/index.ts';
import { safeError } from './safe-error.ts';
import { traceFields } from './tracing.ts';

export type { Logger };

/**
 * JSON lines, to standard output unless `destination` says otherwise. What a request or a stored value holds is never
 * logged, and no setting's value is: an error under any key is reduced to what is safe, and a line of a traced request
 * names its trace.
 */
export function createLogger(
  settings: Pick<Settings, 'LOG_LEVEL'>,
  service: string,
  destination?: DestinationStream,
): Logger {
  const options = {
    level: settings.LOG_LEVEL,
    base: { service },
    mixin: traceFields,
    formatters: { log: withSafeErrors },
    // In place of pino's own, which prints every field that an error carries.
    serializers: { err: (value: unknown) => (value instanceof Error ? safeError(value) : value) },
    hooks: { logMethod: withMessage },
  };
  return pino(options, destination ?? standardOutput());
}

/** Bytes of lines that are written at once, and the longest that one waits for more, in milliseconds. */
const written = { minLength: 2_048, periodicFlush: 200 };

let output: DestinationStream | undefined;

/**
 * Standard output, written in pieces: a system call for each line, or a thread that does it, took a tenth of a request's time.
 * What is left is written when the process exits, also by an error that nobody caught. All loggers of a process share it, so
 * that their lines stand in the order in which they were said.
 */
function standardOutput(): DestinationStream {
  output ??= openStandardOutput();
  return output;
}

function openStandardOutput(): DestinationStream {
  const opened = pino.destination({ dest: 1, sync: true, ...written });
  process.on('exit', () => opened.flushSync());
  return opened;
}

function withSafeErrors(line: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(line).some((value) => value instanceof Error)) return line;
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [key, value instanceof Error ? safeError(value) : value]),
  );
}

/** Pino would log the error's own message, which may hold content, if a line with an error has no message. */
function withMessage(this: Logger, args: Parameters<Logger['info']>, log: (...args: never[]) => void): void {
  const [first, message]: readonly unknown[] = args;
  const holdsError = first instanceof Error || (first as { err?: unknown } | null)?.err instanceof Error;
  const safeArgs = holdsError && message === undefined ? [first, 'something failed'] : args;
  log.apply(this, safeArgs as never[]);
}
