import { codeOf, nameOf } from './describe-failure.ts';

/** An error as a log line holds it: where and what kind, never the values that it was about. */
export interface SafeError {
  type: string;
  code?: string;
  message?: string;
  /** Frames only. */
  stack?: string;
  /** Of PostgreSQL: which object of the schema it was about. */
  table?: string;
  column?: string;
  constraint?: string;
  routine?: string;
  status?: number;
  cause?: SafeError;
  errors?: SafeError[];
}

/** Longest chain of causes, and most errors of one aggregate, that a line holds. */
const maxDepth = 4;
const maxErrors = 3;

/**
 * Picks what an error may say in a log (spec 20 M21). PostgreSQL puts the values of a row into `detail` and `where`, a
 * parser puts the text it choked on into its message, a client library keeps whole requests as fields: so fields are
 * picked, and a message is kept only where its kind holds no values.
 */
export function safeError(error: unknown, depth = maxDepth): SafeError {
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = error as Error & Record<string, unknown>;
  return {
    type: nameOf(error),
    ...optional('code', codeOf(error)),
    ...optional('message', safeMessage(error)),
    ...optional('stack', framesOf(error)),
    ...(isPostgres(error) && {
      ...optional('table', textOf(fields['table'])),
      ...optional('column', textOf(fields['column'])),
      ...optional('constraint', textOf(fields['constraint'])),
      ...optional('routine', textOf(fields['routine'])),
    }),
    ...optional('status', numberOf(fields['statusCode'])),
    ...(depth > 0 && inner(error, depth - 1)),
  };
}

function inner(error: Error, depth: number): Pick<SafeError, 'cause' | 'errors'> {
  const errors = error instanceof AggregateError ? error.errors.slice(0, maxErrors) : [];
  return {
    ...(error.cause !== undefined && { cause: safeError(error.cause, depth) }),
    ...(errors.length > 0 && { errors: errors.map((one) => safeError(one, depth)) }),
  };
}

/** Kinds whose messages are written by a programmer, for an operator. */
const spokenKinds = new Set([
  'Error',
  'AggregateError',
  'AbortError',
  'TimeoutError',
  'ServiceError',
  'SettingsError',
  'FastifyError',
  'JobLostError',
  'SchemaNotReady',
  'MaxRetriesPerRequestError',
  'ReplyError',
  'OTLPExporterError',
]);

/** Messages of the language itself that name code and no value. */
const spokenMessages =
  /^(Cannot read properties of (undefined|null)|fetch failed$)|^\S+ is not (defined|a function|a constructor)$/;

/** SQLSTATE classes whose messages quote values: data exceptions, and what a function raises. */
const quotingStates = /^(22|P0)/;

function safeMessage(error: Error): string | undefined {
  if (!maySpeak(error)) return undefined;
  // A URL may hold a user and a password before its host.
  return error.message.replaceAll(/\/\/[^\s/@]*@/g, '//');
}

function maySpeak(error: Error): boolean {
  if (isPostgres(error)) return !quotingStates.test(codeOf(error) ?? '');
  return spokenKinds.has(nameOf(error)) || isOfSystem(error) || spokenMessages.test(error.message);
}

/** An error that PostgreSQL itself answered. */
function isPostgres(error: Error): boolean {
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
}

/** An error of a system call: code, call, address. */
function isOfSystem(error: Error): boolean {
  return 'syscall' in error && 'errno' in error;
}

/** The stack without its head, which repeats the message. */
function framesOf({ stack = '', message }: Error): string | undefined {
  const head = message === '' ? -1 : stack.indexOf(message);
  const rest = head === -1 ? stack : stack.slice(head + message.length);
  const frames = rest.split('\n').filter((line) => /^ {4}at \S/.test(line));
  return frames.length === 0 ? undefined : frames.map((line) => line.trim()).join('\n');
}

function optional<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [k in K]: V });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
