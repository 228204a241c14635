import { setTimeout } from 'node:timers/promises';
import {
  type ErrorCode,
  errorCodes,
  errorEnvelopeShape,
  errorRecords,
  errorsOf,
  type OperationSpec,
} from '@continuity/contract';
import { operationTable, successesOf } from '@continuity/contract/operations';
import { z } from 'zod';
import { type HttpAnswer, sendRequest } from './http-request.ts';
import { slowdown } from './machine-load.ts';

/** An error as it came over the wire. Its details fit the record of its code. */
export interface ReceivedError {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
}

/** The shapes of envelopes. To make one and read one value takes a quarter of a millisecond, and to read one more a hundredth of that. */
const envelopes = new Map<ErrorCode, ReturnType<typeof errorEnvelopeShape>>();

function envelopeOf(code: ErrorCode) {
  const shape = envelopes.get(code) ?? errorEnvelopeShape(code);
  envelopes.set(code, shape);
  return shape;
}

const anyEnvelope = z.object({ error: z.object({ code: z.enum(errorCodes) }) });

/** The error of an envelope. Throws unless its code has a record, and the envelope is exactly as that record says. */
export function readError(json: unknown): ReceivedError {
  const { code } = anyEnvelope.parse(json).error;
  const parsed = envelopeOf(code).safeParse(json);
  if (parsed.success) return parsed.data.error as ReceivedError;
  throw new Error(
    `The record of ${code} does not allow ${JSON.stringify(json)}: ${z.prettifyError(parsed.error)}`,
  );
}

type Table = typeof operationTable;
export type OperationId = keyof Table;

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Input of a call. */
export interface CallInput<Id extends OperationId> {
  params?: Table[Id] extends { params: infer P } ? Input<P> : never;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Table[Id] extends { body: infer B } ? Input<B> : never;
}

/** An answer that the contract allows. Reading `body` of an error throws and so fails the test. */
export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
  error: ReceivedError | undefined;
}

/** An unchecked answer, for requests that no type describes. */
export interface RawReply extends HttpAnswer {
  json: unknown;
}

export interface Client {
  /** Calls an operation; throws when status, code or body is not one that its contract declares. */
  call<Id extends OperationId>(
    id: Id,
    input?: CallInput<Id>,
  ): Promise<Reply<z.output<Table[Id]['response']>>>;
  /**
   * Sends any request. `path` and a string body are sent unchanged. Throws if the answer is an error that its record does
   * not allow, and a `NoAnswerError` if the connection fails before an answer begins.
   */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawReply>;
}

const maxRetries = 5;

/**
 * A gateway refuses writes of a Scope that have waited a second without any progress. A machine that is busy with something else can
 * cause that, and then the request is sent again. The message tells this 503 from that of a database that is down.
 */
const isRefusedByLoad = ({ status, text }: { status: number; text: string }): boolean =>
  status === 503 && text.includes('Other writes wait for the same rows') && slowdown() > 2;

/** Returns a client of a running service that sends `headers`, such as a token, with each request. */
export function clientFor(url: string, headers: Record<string, string> = {}): Client {
  const send: Client['send'] = async (method, path, body, own = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sendOnce = () => sendRequest(new URL(url + path), method, { ...type, ...headers, ...own }, text);
    let answer = await sendOnce();
    for (let retry = 1; retry <= maxRetries && isRefusedByLoad(answer); retry += 1) {
      await setTimeout(retry * 1_000);
      answer = await sendOnce();
    }
    const json = parse(answer.text);
    if (answer.status >= 400 && hasError(json)) readError(json);
    return { ...answer, json };
  };
  return {
    send,
    call: async (id, input = {}) => {
      const operation: OperationSpec = operationTable[id];
      const { params = {}, query = {}, body, headers: own } = input;
      const search = new URLSearchParams(query).toString();
      const path = fillPath(operation.path, params) + (search === '' ? '' : `?${search}`);
      const reply = await send(operation.method, path, body, own);
      const answer = Object.getOwnPropertyDescriptors(readAnswer(operation, reply));
      return Object.defineProperties({ status: reply.status, headers: reply.headers }, answer) as never;
    },
  };
}

/** False for the 503 of readiness, which has a body of its own. */
function hasError(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'error' in json;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The path of an operation with its parameters percent-encoded. */
export function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name])));
}

/**
 * The parsed body of a declared success, or the error of a declared code. Throws when status, code or body is not one
 * that the operation's contract declares.
 */
export function readAnswer(
  operation: OperationSpec,
  reply: RawReply,
): { body?: unknown; error: ReceivedError | undefined } {
  const { status, json } = reply;
  const shape = successShape(operation, status);
  if (shape === null) return { body: undefined, error: undefined };
  if (shape !== undefined) {
    const isText = operation.mediaType !== undefined && status === operation.status;
    return { body: shape.parse(isText ? reply.text : json), error: undefined };
  }
  const error = readError(json);
  const { code } = error;
  if (errorRecords[code].status !== status || !errorsOf(operation).includes(code)) {
    throw new Error(`${operation.id} answered ${status} ${code}, which its contract does not declare.`);
  }
  return {
    error,
    get body(): never {
      throw new Error(`${operation.id} answered ${status} ${JSON.stringify(error)}.`);
    },
  };
}

function successShape(operation: OperationSpec, status: number): z.ZodType | null | undefined {
  if (status === 503 && operation.unavailableResponse !== undefined) return operation.unavailableResponse;
  return successesOf(operation).find((success) => success.status === status)?.response;
}
