import {
  beginRequestTrace,
  type Logger,
  type Metrics,
  type RequestTrace,
  type ServiceError,
  type StatusClass,
} from '@continuity/shared/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdHeader } from './request-id.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its trace, and when it began; set before any other hook. */
    observed: ObservedRequest;
    /** Bytes of the body that were read. */
    bodyBytes: number;
    /** Why the answer is an error; undefined for a success. */
    failure: ServiceError | undefined;
  }
  interface FastifyContextConfig {
    /** What logs and metrics call a route that is no operation of the contract. */
    page?: string;
  }
}

interface ObservedRequest {
  trace: RequestTrace;
  begun: number;
  isDone: boolean;
}

export interface Observers {
  logger: Logger;
  metrics: Metrics;
}

/**
 * Gives each request its id and its span, and when it has ended, or the caller has gone, one line in the log and one
 * count. Nothing of what it sent or got is told: no URL, no header, no value.
 */
export function observeRequests(app: FastifyInstance, observers: Observers): void {
  app.decorateRequest('observed');
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('failure', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const trace = beginRequestTrace({
      traceparent: textOf(request.headers['traceparent']),
      tracestate: textOf(request.headers['tracestate']),
    });
    request.id = trace.id;
    request.observed = { trace, begun: performance.now(), isDone: false };
    reply.header(requestIdHeader, trace.id);
    reply.raw.once('close', () => end(observers, request, reply));
    trace.run(done);
  });
  // Reading the body leaves the context that the first hook entered.
  app.addHook('preValidation', (request, _reply, done) => request.observed.trace.run(done));
  app.addHook('onResponse', (request, reply, done) => {
    end(observers, request, reply);
    done();
  });
}

/** Runs once a request: after its answer, or when the connection closed before it. */
function end(observers: Observers, request: FastifyRequest, reply: FastifyReply): void {
  const { observed, failure } = request;
  if (observed.isDone) return;
  observed.isDone = true;
  const isAborted = !reply.raw.writableFinished;
  const status = isAborted ? null : reply.statusCode;
  const duration = performance.now() - observed.begun;
  const operation = nameOf(request);
  observers.metrics.request(operation, classOf(status), duration);
  writeLine(observers.logger, request, reply, { operation, status, duration });
  const { method } = request;
  const attributes = {
    'http.request.method': method,
    'http.route': routeOf(request) ?? '',
    ...(status !== null && { 'http.response.status_code': status }),
    ...(failure !== undefined && { 'error.type': failure.code }),
    ...(isAborted && { 'error.type': 'aborted' }),
  };
  observed.trace.end(operation, attributes, status !== null && status >= 500);
}

function writeLine(
  logger: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, status, duration }: { operation: string; status: number | null; duration: number },
): void {
  const { failure, observed } = request;
  logger[levelOf(request, status)](
    {
      operation,
      method: request.method,
      route: routeOf(request),
      status,
      ...(status === null && { aborted: true }),
      ...(failure !== undefined && { code: failure.code }),
      duration_ms: Math.round(duration * 1000) / 1000,
      request_id: request.id,
      ...observed.trace.fields,
      tenant: request.tenantId === 0 ? null : request.tenantId,
      bytes_in: request.bodyBytes,
      bytes_out: request.method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0),
      ...(failure !== undefined && failure.status >= 500 && { err: failure.cause ?? failure }),
    },
    'request',
  );
}

/** A failure nobody foresaw is an error, one that a retry may mend a warning; a probe that was well is no news. */
function levelOf(request: FastifyRequest, status: number | null): 'error' | 'warn' | 'info' | 'debug' {
  if (status === null) return 'info';
  if (status >= 500) return status === 500 ? 'error' : 'warn';
  const isProbe = request.routeOptions.config.operation?.auth === 'public';
  return isProbe && status < 400 ? 'debug' : 'info';
}

/** The operation's id, the page's name, or `unknown_route`: a closed set. */
function nameOf(request: FastifyRequest): string {
  const { operation, page } = request.routeOptions.config;
  return operation?.id ?? page ?? 'unknown_route';
}

/** The pattern, never the URL; null for an unknown route. */
function routeOf(request: FastifyRequest): string | null {
  return request.routeOptions.config.operation?.path ?? request.routeOptions.url ?? null;
}

function classOf(status: number | null): StatusClass {
  if (status === null) return 'aborted';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
