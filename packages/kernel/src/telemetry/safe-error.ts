import { ServiceError } from '../errors/service-error.ts';

/** An error as logged: its kind and place, never the values involved. */
interface SafeError {
  type: string;
  code?: string;
  message?: string;
  /** Stack frames without the message. */
  stack?: string;
  /** Schema object of a PostgreSQL error. */
  table?: string;
  column?: string;
  constraint?: string;
  routine?: string;
  status?: number;
  cause?: SafeError;
  errors?: SafeError[];
}

/** Limit of the chain of causes, and of the errors of one aggregate, in a line. */
const maxDepth = 4;
const maxErrors = 3;

/**
 * Selects the loggable fields of an error (spec 20 M21). PostgreSQL puts row values into `detail` and `where`, parsers put
 * input into messages, and client libraries keep whole requests as fields. So fields are selected by name, and a message is
 * logged only for kinds of errors whose messages hold no values.
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

/** Kinds of errors whose messages a programmer wrote for operators. */
const kindsWithSafeMessages = new Set([
  'Error',
  'AggregateError',
  'AbortError',
  'TimeoutError',
  'ServiceError',
  'SettingsError',
  'FastifyError',
  'JobLostError',
  'StartRefusedError',
  'MaxRetriesPerRequestError',
  'ReplyError',
  'OTLPExporterError',
]);

/** Messages of the JavaScript engine that name code and no value. */
const safeMessages =
  /^(Cannot read properties of (undefined|null)|fetch failed$)|^\S+ is not (defined|a function|a constructor)$/;

/** SQLSTATE classes whose messages quote values: data exceptions and errors raised by functions. */
const quotingStates = /^(22|P0)/;

function safeMessage(error: Error): string | undefined {
  if (!hasSafeMessage(error)) return undefined;
  // A URL may hold a user and a password.
  return error.message.replaceAll(/\/\/[^\s/@]*@/g, '//');
}

function hasSafeMessage(error: Error): boolean {
  if (isPostgres(error)) return !quotingStates.test(codeOf(error) ?? '');
  return kindsWithSafeMessages.has(nameOf(error)) || isOfSystem(error) || safeMessages.test(error.message);
}

/** An error from the PostgreSQL server. */
function isPostgres(error: Error): boolean {
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
}

/** An error of a system call: code, call, address. */
function isOfSystem(error: Error): boolean {
  return 'syscall' in error && 'errno' in error;
}

/** The stack without its first line, which repeats the message. */
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

/** SQLSTATE, socket code or library code: a short word without content. */
const shortCode = /^[A-Za-z0-9_.]{1,64}$/;

/** The code of a failure, and whether the service is at fault. A caller's mistake is not its fault. */
export function describeFailure(error: unknown): { type: string; isFault: boolean } {
  if (error instanceof ServiceError) return { type: error.code, isFault: error.status >= 500 };
  return { type: codeOf(error) ?? nameOf(error), isFault: true };
}

/** The `code` of an error, if it is a word. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && shortCode.test(code) ? code : undefined;
}

/** The class name of an error. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === 'Error' ? error.constructor.name : error.name;
}
