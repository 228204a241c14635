import { bodyLimitOf, type OperationSpec } from '@continuity/contract';
import type { Actor } from '@continuity/contract/review';
import type { Epoch, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { Answer, Caller, RemoteTarget } from '@continuity/shared/handlers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyReader } from '../bodies/body-reader.ts';
import { decodeParams } from './raw-path.ts';
import { unknownRoute } from './unknown-route.ts';
import { readQuery, validate } from './validate.ts';

type AnyHandler = (caller: Caller, input: never) => Promise<Answer>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication for all but public requests. */
    tenantId: TenantId;
    /** Set by authentication too: null for a token without a label. */
    actor: Actor | null;
    /** Set by the credential of a remote target. */
    target: RemoteTarget | undefined;
    /** Set by authentication: the epoch in which it looked up the tenant. */
    epoch: Epoch | undefined;
  }
  interface FastifyContextConfig {
    /** The operation of the route; undefined for pages and unknown routes. */
    operation?: OperationSpec;
  }
}

/** Registers a route for each operation of the contract. */
export function registerOperations(
  app: FastifyInstance,
  table: Record<string, OperationSpec>,
  handlers: Record<string, AnyHandler>,
  bodies: BodyReader,
  deploymentBodyLimit: number,
): void {
  for (const [name, operation] of Object.entries(table)) {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`Operation ${name} has no handler.`);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      bodyLimit: Math.min(bodyLimitOf(operation), deploymentBodyLimit),
      ...(operation.params !== undefined && { onRequest: refuseEmptySegments }),
      handler: (request, reply) => run(operation, handler, bodies, request, reply),
    });
  }
}

/** Validates in the order of spec 10 §1.2: path and query, headers, body. The handler checks existence and state. */
async function run(
  operation: OperationSpec,
  handler: AnyHandler,
  bodies: BodyReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const params = operation.params && validate(operation.params, decodeParams(rawParams(request)));
  const query =
    operation.query && validate(operation.query, readQuery(request.url, Object.keys(operation.query.shape)));
  const headers = operation.headers && validate(operation.headers, pickHeaders(request, operation));
  requirePrecondition(operation, request);
  const body = await bodies.read(request.tenantId, operation, params, request.body as Buffer | undefined);
  const answer = await handler(callerOf(request, reply), { params, query, headers, body } as never);
  return sendAnswer(reply, operation, answer);
}

function requirePrecondition({ precondition }: OperationSpec, request: FastifyRequest): void {
  if (precondition === undefined || (request.headers[precondition] ?? '') !== '') return;
  throw serviceError('precondition_required');
}

function rawParams(request: FastifyRequest): Record<string, string> {
  return request.params as Record<string, string>;
}

/** Answers 404 for an invalid address before the body is read (spec 10 §1.2, §1.6). */
async function refuseEmptySegments(request: FastifyRequest): Promise<void> {
  if (Object.values(rawParams(request)).includes('')) throw unknownRoute();
}

function sendAnswer(reply: FastifyReply, operation: OperationSpec, answer: Answer): FastifyReply {
  if (answer.headers !== undefined) reply.headers(answer.headers);
  reply.status(answer.status ?? operation.status);
  return answer.body === null ? reply.send() : reply.send(answer.body);
}

/** Describes the caller. It waits for a worker unless `Prefer`, or `respondAsync` in its place, says otherwise. */
export function callerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { respondAsync = prefersAsync(request) } = {},
): Caller {
  return new RequestCaller(request, reply, respondAsync);
}

class RequestCaller implements Caller {
  readonly tenantId: TenantId;
  readonly epoch: Epoch | undefined;
  readonly actor: Actor | null;
  readonly target?: RemoteTarget;
  readonly respondAsync: boolean;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, respondAsync: boolean) {
    this.tenantId = request.tenantId;
    this.epoch = request.epoch;
    this.actor = request.actor;
    if (request.target !== undefined) this.target = request.target;
    this.respondAsync = respondAsync;
    this.#reply = reply;
  }

  /** Made at its first use, because few handlers need it. */
  get signal(): AbortSignal {
    this.#signal ??= signalHangUp(this.#reply);
    return this.#signal;
  }
}

function signalHangUp(reply: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  const abort = () => {
    if (!reply.raw.writableFinished) hangUp.abort();
  };
  if (reply.raw.destroyed) abort();
  else reply.raw.once('close', abort);
  return hangUp.signal;
}

/** RFC 7240: a list of preferences, case-insensitive. */
function prefersAsync(request: FastifyRequest): boolean {
  const prefer = request.headers['prefer'];
  if (prefer === undefined) return false;
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : prefer).split(',');
  return preferences.some((one) => one.trim().toLowerCase() === 'respond-async');
}

/** The headers that the operation declares, by lower-case name. */
function pickHeaders(request: FastifyRequest, operation: OperationSpec): Record<string, unknown> {
  const names = Object.keys(operation.headers?.shape ?? {});
  return Object.fromEntries(
    names.flatMap((name) => (name in request.headers ? [[name, request.headers[name]]] : [])),
  );
}
