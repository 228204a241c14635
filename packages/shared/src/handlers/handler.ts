import type { OperationInput, OperationResponse, OperationSpec } from '@continuity/contract';
import type { Actor } from '@continuity/contract/review';
import type { Epoch, TenantId } from '@continuity/kernel/database';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';

/** A remote target of a tenant. */
export interface RemoteTarget {
  scopeId: string;
  targetId: string;
}

/** The caller of an operation. */
export interface Caller {
  /** The tenant of the token. */
  tenantId: TenantId;
  /** The epoch in which the token or credential was looked up; undefined for a public operation. */
  epoch: Epoch | undefined;
  /** The label of the token; null without one. It is shown to reviewers and grants nothing. */
  actor: Actor | null;
  /** The target of the credential. Only operations with the authentication `target` have it. */
  target?: RemoteTarget;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** True with `Prefer: respond-async` (spec 00 §7). */
  respondAsync: boolean;
}

/** The answer of a handler. `status` defaults to the operation's main one. A text is sent as it is, with the `Content-Type` in `headers`. */
export interface Answer<S extends OperationSpec = OperationSpec> {
  body: OperationResponse<S> | object | string | null;
  status?: number;
  headers?: Record<string, string>;
}

/** JSON text in UTF-8, with its media type. */
export interface JsonAnswer {
  body: Buffer;
  headers: Record<string, string>;
}

/** An answer from JSON as text, or as UTF-8. */
export function jsonAnswer(json: string | Buffer): JsonAnswer {
  const body = typeof json === 'string' ? Buffer.from(json) : json;
  return { body, headers: { 'Content-Type': 'application/json; charset=utf-8' } };
}

/** Functions that convert the validated bodies of operations into the input of their handlers, by operation. */
export type BodyPreparations = Record<string, (body: never) => unknown>;

/** Runs one operation on validated input. It is independent of the HTTP server. */
export type Handler<S extends OperationSpec, Deps, Body = OperationInput<S>['body']> = (
  deps: Deps,
  caller: Caller,
  input: Omit<OperationInput<S>, 'body'> & { body: Body },
) => Promise<Answer<S>>;

/**
 * A handler for each operation of a table; a missing one does not compile. A handler of an operation with a preparation gets the
 * prepared body.
 */
export type Handlers<
  Table extends Record<string, OperationSpec>,
  Deps,
  Bodies extends BodyPreparations = Record<never, never>,
> = {
  [Name in keyof Table]: Name extends keyof Bodies
    ? Handler<Table[Name], Deps, ReturnType<Bodies[Name]>>
    : Handler<Table[Name], Deps>;
};

/** Arrays and objects down to this level are written item by item. */
const steppedLevels = 3;

/** Serializes JSON data in steps, to the same text as `JSON.stringify`. 10 MB take 100 ms in all. */
export function* jsonSteps(value: unknown, level = 1): Steps<string> {
  if (typeof value !== 'object' || value === null || level > steppedLevels) return JSON.stringify(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      parts.push(yield* jsonSteps(item, level + 1));
      yield;
    }
    return `[${parts.join(',')}]`;
  }
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) parts.push(`${JSON.stringify(key)}:${yield* jsonSteps(field, level + 1)}`);
    yield;
  }
  return `{${parts.join(',')}}`;
}

/** Builds an answer of up to megabytes. Serializes it in slices, so that the event loop serves other requests meanwhile. */
export async function longAnswer(body: object, headers: Record<string, string> = {}): Promise<JsonAnswer> {
  const answer = jsonAnswer(await runInSlices(jsonSteps(body)));
  return { body: answer.body, headers: { ...headers, ...answer.headers } };
}

/** Builds a page from items that are JSON texts. Takes and encodes one item in each step, because one can have 100 KB. */
export async function longPage(items: Iterable<string>, rest: Record<string, unknown>): Promise<JsonAnswer> {
  return jsonAnswer(await runInSlices(pageSteps(items, rest)));
}

function* pageSteps(items: Iterable<string>, rest: Record<string, unknown>): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const item of items) {
    if (parts.length > 0) parts.push(Buffer.from(','));
    parts.push(Buffer.from(item));
    yield;
  }
  return Buffer.concat([
    Buffer.from('{"items":['),
    ...parts,
    Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
  ]);
}
