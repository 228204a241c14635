import { randomUUID } from 'node:crypto';
import type { OperationSpec } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import { type Client, fillPath, type OperationId, type RawReply } from '@continuity/testing';

/** A request of an operation, ready to be changed and sent. */
export interface Request {
  params: Record<string, string>;
  /** A parameter that is undefined is left out. */
  query: Record<string, string | undefined>;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** A Scope that no other test has written to. */
export const freshScope = (): string => `contract:${randomUUID()}`;

/** The operation's first example, or another one, as a request, moved into `scope`. */
export function exampleRequest(operation: OperationSpec, scope: string, index = 0): Request {
  const example = operation.examples[index];
  if (example === undefined) throw new Error(`${operation.id} has no example.`);
  const { parameters = {}, body } = moveTo(scope, {
    parameters: example.parameters ?? {},
    body: example.body,
  });
  const pick = (shape: { shape: object } | undefined) => {
    const names = new Set(Object.keys(shape?.shape ?? {}));
    return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name.toLowerCase())));
  };
  return {
    params: pick(operation.params),
    query: pick(operation.query),
    headers: pick(operation.headers),
    body: body as Request['body'],
  };
}

/** The request with some of its fields exchanged. */
export function changeRequest(request: Request, change: Partial<Request>): Request {
  return {
    params: { ...request.params, ...change.params },
    query: { ...request.query, ...change.query },
    headers: { ...request.headers, ...change.headers },
    body: request.body && { ...request.body, ...change.body },
  };
}

/** Sends a request of an operation. */
export function sendRequest(client: Client, operation: OperationSpec, request: Request): Promise<RawReply> {
  const { params, query, headers, body } = request;
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  const path = fillPath(operation.path, params) + (search === '' ? '' : `?${search}`);
  return client.send(operation.method, path, body, headers);
}

/** Sends the example of an operation, changed, and returns the body of its success. Throws for any other answer. */
export async function sendExample(
  client: Client,
  id: OperationId,
  scope: string,
  change: Partial<Request> = {},
): Promise<Record<string, unknown>> {
  const operation: OperationSpec = operationTable[id];
  const request = changeRequest(exampleRequest(operation, scope), change);
  const reply = await sendRequest(client, operation, request);
  if (reply.status >= 300) throw new Error(`${id} answered ${reply.status}: ${reply.text}`);
  return reply.json as Record<string, unknown>;
}

/** Every Scope id that the value names, exchanged. */
function moveTo<T>(scope: string, value: T): T {
  const named = new Set<string>();
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'scope_id' && typeof inner === 'string') named.add(inner);
    return inner;
  });
  return JSON.parse(text, (_key, inner: unknown) =>
    typeof inner === 'string' && named.has(inner) ? scope : inner,
  ) as T;
}
