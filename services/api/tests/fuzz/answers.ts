import {
  bodyLimitOf,
  type ErrorCode,
  errorRecords,
  errorsOf,
  type OperationSpec,
  type OtherSuccess,
} from '@continuity/contract';
import { operations, successesOf } from '@continuity/contract/operations';
import { findJsonIssues } from '@continuity/kernel/json';
import { type ReceivedError, readError as readReceivedError } from '@continuity/testing';
import { z } from 'zod';
import type { DocumentUnderTest } from '../contract/support/document.ts';
import type { Plain, Request } from './call.ts';
import type { WireAnswer } from './wire/exchange.ts';

/** An answer that conforms to the contract. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body of a success; undefined for an error. */
  body: unknown;
  error: ReceivedError | undefined;
}

/** Words that reveal the implementation of the service. */
const inside =
  /node_modules|node:internal|\bat \w+ \(|\.ts:\d+|\bpg_|SQLSTATE|violates \w+ constraint|PrismaClient/;

/** Errors of requests that do not reach their operation. */
const routingErrors: ErrorCode[] = ['not_found', 'method_not_allowed', 'unauthorized', 'invalid_request'];

/** Statuses for bytes that are not HTTP. Their code is `invalid_request`, without issues. */
const malformed = [400, 408, 413, 431];

/** Parses an answer. Throws if it breaks the contract or the OpenAPI document. */
export function checkAnswer(
  { call, draft, plain }: Request,
  raw: WireAnswer,
  document: DocumentUnderTest,
): Answer {
  const { operation } = call;
  const { status, headers, text } = raw;
  const hasRequestId = /^[0-9a-f]{32}$/.test(headers.get('x-service-request-id') ?? '');
  require(hasRequestId, 'has no X-Service-Request-ID');
  require(status < 500, `is a ${status} of a healthy service`);
  if (draft.method === 'HEAD' && (text === '' || !malformed.includes(status))) {
    require(text === '', 'has a body, and was asked for by HEAD');
    return { status, headers, body: undefined, error: undefined };
  }
  if (plain !== undefined && !hasEmptySegment(plain)) requireDocumented(operation, raw, document);
  const met = plain === undefined ? operationsOf(draft.method) : [operation];
  const success = successOf(met, raw);
  if (success === undefined) return readError(operation, raw, plain);
  const { response } = success;
  require(response !== null || text === '', 'has a body');
  const isText = met.some((one) => hasTextType(one, headers));
  const body = response === null ? undefined : isText ? text : parseWith(response, jsonOf(raw));
  for (const name of Object.keys(success.headers ?? {})) {
    require(headers.has(name), `lacks the header ${name}`);
  }
  return { status, headers, body, error: undefined };
}

/** A request with tricks may have met any operation of its method. */
function operationsOf(method: string): OperationSpec[] {
  return operations.filter((operation) => operation.method === method);
}

/** The success that the answer is, by its body and then by its headers; the last one of its status where it is as none should be. */
function successOf(among: OperationSpec[], { status, text, headers }: WireAnswer): OtherSuccess | undefined {
  const declared = among.flatMap(successesOf).filter((one) => one.status === status);
  const value = jsonValue(text);
  const fitting = declared.filter(({ response }) => response?.safeParse(value).success);
  const whole = fitting.find((one) => Object.keys(one.headers ?? {}).every((name) => headers.has(name)));
  return whole ?? fitting[0] ?? declared.at(-1);
}

/** Whether an answer has a media type of the operation other than JSON. */
function hasTextType({ mediaType, otherMedia = {} }: OperationSpec, headers: Headers): boolean {
  const type = headers.get('content-type');
  return type !== null && (type === mediaType || type in otherMedia);
}

function requireDocumented(operation: OperationSpec, raw: WireAnswer, document: DocumentUnderTest): void {
  const problems = document.problemsOf(operation, { ...raw, json: jsonValue(raw.text) });
  require(problems.length === 0, `is not as the document has it: ${problems.join('; ')}`);
}

function readError(operation: OperationSpec, raw: WireAnswer, plain: Plain | undefined): Answer {
  const { status, headers, text } = raw;
  const error = readReceivedError(jsonOf(raw));
  const { code } = error;
  const isMalformed = plain === undefined && code === 'invalid_request' && malformed.includes(status);
  require(errorRecords[code].status === status || isMalformed, `says ${code} with status ${status}`);
  const mayMiss = plain === undefined || hasEmptySegment(plain);
  const declared = plain === undefined ? operations.flatMap(errorsOf) : errorsOf(operation);
  const allowed = mayMiss ? [...declared, ...routingErrors] : declared;
  require(allowed.includes(code), `says ${code}, which ${operation.id} does not declare`);
  require(!inside.test(text), 'shows the inside of the service');
  if (code === 'invalid_request' && !isMalformed && !('reason' in error.details)) {
    require(JSON.stringify(error.details['issues']) !== '[]', 'is invalid_request and names no issue');
  }
  if (status === 401) require(headers.get('www-authenticate') === 'Bearer', 'lacks WWW-Authenticate');
  if (status === 405) require(headers.has('allow'), 'lacks Allow');
  return { status, headers, body: undefined, error };
}

/** Expected statuses of a request without hostile values, as far as its shape determines them. */
export function checkExpected(request: Request, answer: Answer): void {
  const { plain } = request;
  if (plain === undefined) return;
  const expected = expectedCode(request, plain);
  const code = answer.error?.code;
  if (expected === undefined)
    require(code !== 'unsupported_media_type', 'refuses the media type that it wants');
  else require(code === expected, `is ${code ?? answer.status}, and its shape alone makes it ${expected}`);
}

/** In the order of spec 10 §1.2; undefined where more than the shape decides. */
function expectedCode({ call, draft }: Request, plain: Plain): ErrorCode | undefined {
  const { operation } = call;
  // The token of a tenant opens no operation of a Receiver, whatever the request has.
  if (operation.auth === 'target') return 'unauthorized';
  if (hasEmptySegment(plain)) return 'not_found';
  if (operation.body !== undefined && (draft.body?.length ?? 0) > bodyLimitOf(operation))
    return 'body_too_large';
  const isGood = (['params', 'query', 'headers'] as const).every((part) =>
    fits(operation[part], plain[part]),
  );
  if (!isGood) return 'invalid_request';
  const { precondition, body, bodyFor } = operation;
  if (precondition !== undefined && (plain.headers[precondition] ?? '') === '')
    return 'precondition_required';
  const shape = bodyFor?.(plain.params as never) ?? body;
  return fits(shape, draft.body && jsonValue(draft.body.toString('utf8'))) ? undefined : 'invalid_request';
}

function fits(shape: z.ZodType | undefined, value: unknown): boolean {
  if (shape === undefined) return true;
  return shape.safeParse(value).success && findJsonIssues(value).length === 0;
}

function hasEmptySegment({ params }: Plain): boolean {
  return Object.values(params).includes('');
}

function jsonOf({ headers, text }: WireAnswer): unknown {
  const type = headers.get('content-type') ?? '';
  require(/^application\/json(; charset=utf-8)?$/.test(type), `has the media type ${type}`);
  return jsonValue(text);
}

/** The value of a JSON text; undefined where it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseWith<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`The answer has not the declared shape: ${z.prettifyError(parsed.error)}`);
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The answer ${what}.`);
}
