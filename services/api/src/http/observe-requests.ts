import type { ServiceError } from '@continuity/kernel/errors';
import {
  beginRequestTrace,
  type Logger,
  type Metrics,
  type RequestTrace,
  type StatusClass,
} from '@continuity/kernel/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdHeader } from './response-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Trace and start time of the request; set before any other hook. */
    observed: ObservedRequest;
    /** Bytes read of the body. */
    bodyBytes: number;
    /** Cause of an error answer; undefined for a success. */
    failure: ServiceError | undefined;
  }
  interface FastifyContextConfig {
    /** Name in logs and metrics of a route that is not an operation. */
    page?: string;
  }
}

interface ObservedRequest {
  trace: RequestTrace;
  begun: number;
  isDone: boolean;
}

interface Observers {
  logger: Logger;
  metrics: Metrics;
}

/**
 * Gives each request an id and a span. Once it has ended, or the caller has disconnected, writes one log line and counts it.
 * Records no content: no URL, no header, no value.
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
  // Reading the body loses the context of the first hook.
  app.addHook('preValidation', (request, _reply, done) => request.observed.trace.run(done));
  app.addHook('onResponse', (request, reply, done) => {
    end(observers, request, reply);
    done();
  });
}

/** Runs once per request: after its answer, or when the connection closes before. */
function end(observers: Observers, request: FastifyRequest, reply: FastifyReply): void {
  const { observed, failure } = request;
  if (observed.isDone) return;
  observed.isDone = true;
  const isAborted = !reply.raw.writableFinished;
  const status = isAborted ? null : reply.statusCode;
  const duration = performance.now() - observed.begun;
  const operation = nameOf(request);
  observers.metrics.recordRequest(
    operation,
    classOf(status),
    duration,
    status === null ? undefined : failure?.code,
  );
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

/** The log level: error for an unexpected failure, warning for a retryable one, debug for a successful probe. */
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
