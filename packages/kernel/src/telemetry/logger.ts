import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';
import { BufferedOutput } from './buffered-output.ts';
import { RepeatedLines } from './repeated-lines.ts';
import { safeError } from './safe-error.ts';
import { traceFields } from './tracing.ts';

export type { Logger };

/**
 * Writes JSON lines to standard output, or to `destination`. No line holds content of requests, stored values or values of
 * settings: errors are reduced to safe fields. Lines of a traced request have its trace ids.
 *
 * A failure that repeats has one line a second: see `RepeatedLines`. A line about one request or one run of a job, which has the field
 * `operation`, is always written.
 */
export function createLogger(
  settings: Pick<Settings, 'LOG_LEVEL'>,
  service: string,
  destination?: DestinationStream,
): Logger {
  const repeated = new RepeatedLines();
  const options = {
    level: settings.LOG_LEVEL,
    base: { service },
    mixin: traceFields,
    mixinMergeStrategy: withTrace,
    formatters: { log: withSafeErrors },
    // Replaces pino's serializer, which prints every field of an error.
    serializers: { err: (value: unknown) => (value instanceof Error ? safeError(value) : value) },
    hooks: { logMethod: limitRepeated(repeated) },
  };
  return pino(options, destination ?? standardOutput());
}

let output: DestinationStream | undefined;

/**
 * Buffered standard output. The buffer is flushed when the process exits, also after an uncaught error. All loggers of a process share it,
 * which keeps their lines in order.
 */
function standardOutput(): DestinationStream {
  output ??= openStandardOutput();
  return output;
}

function openStandardOutput(): DestinationStream {
  const opened = new BufferedOutput(1);
  process.on('exit', () => opened.flushLast());
  return opened;
}

/** A line of a request brings its own trace, so it is not copied. */
function withTrace(line: object, fields: object): object {
  return 'trace_id' in line ? line : Object.assign(fields, line);
}

function withSafeErrors(line: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(line).some((value) => value instanceof Error)) return line;
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [key, value instanceof Error ? safeError(value) : value]),
  );
}

type LogMethod = (this: Logger, args: Parameters<Logger['info']>, log: (...args: never[]) => void) => void;

function limitRepeated(repeated: RepeatedLines): LogMethod {
  return function (args, log) {
    const [first, message]: readonly unknown[] = args;
    const fields = first instanceof Error ? { err: first } : first;
    if (!holdsError(fields)) {
      log.apply(this, args as unknown as never[]);
      return;
    }
    // Pino would log the error's own message, which may hold content, if the line had no message.
    const text = typeof message === 'string' ? message : 'something failed';
    const write = (line: object) => log.apply(this, [line, text] as never[]);
    if ('operation' in fields) write(fields);
    else repeated.limit(text, { ...traceFields(), ...fields }, write);
  };
}

function holdsError(fields: unknown): fields is object {
  return (fields as { err?: unknown } | null | undefined)?.err instanceof Error;
}
