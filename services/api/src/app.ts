import { maxHeaderSize } from 'node:http';
import { operations, operationTable } from '@continuity/contract/operations';
import type { Settings } from '@continuity/kernel/config';
import type { Logger, Telemetry } from '@continuity/kernel/telemetry';
import { isAuthenticationOn } from '@continuity/shared/tenants';
import Fastify, { type FastifyInstance } from 'fastify';
import { BodyReader } from './bodies/body-reader.ts';
import { allHandlers } from './handlers.ts';
import { admitRequests } from './http/admit-requests.ts';
import { acceptJsonBodies, refuseEncodedBodies } from './http/body.ts';
import { answerClientError, sendError, toServiceError } from './http/errors.ts';
import { metricsPage, serveMetrics } from './http/metrics.ts';
import { observeRequests } from './http/observe-requests.ts';
import { protectEscapes } from './http/raw-path.ts';
import { registerOperations } from './http/register-operations.ts';
import { forbidSniffing, forbidStorage } from './http/response-headers.ts';
import { refuseSeveralHosts } from './http/trusted-hosts.ts';
import { runPipelinedInOrder } from './limits/pipelining.ts';
import { cutOffStalledReaders } from './limits/stalled-readers.ts';
import { takeTurns } from './limits/turns.ts';
import { spoolAnswers } from './limits/unread-answers.ts';
import { mcpRoute, serveMcp } from './mcp/index.ts';
import type { EmbeddingProfileCheck, ModelCheck } from './models.ts';
import {
  consoleRoutes,
  documentationPages,
  readConsole,
  refusalPage,
  serveConsole,
  servePages,
} from './pages/index.ts';
import type { Servers } from './servers.ts';

/** Limit of a path segment for the router: that of Node with each `%` escaped. The schema checks the length of ids. */
const maxSegment = maxHeaderSize * 3;

const defaultReaderTimeoutMs = 30_000;

interface AppOptions {
  settings: Settings;
  logger: Logger;
  servers: Servers;
  /** Null if no generation model is configured. */
  generation: ModelCheck | null;
  /** Null if no embedding model is configured. */
  embedding: EmbeddingProfileCheck | null;
  telemetry: Pick<Telemetry, 'metrics' | 'scrape'>;
  /** A connection whose reader takes no byte of an answer for so long is closed. Default 30 s; a test sets less. */
  readerTimeoutMs?: number;
}

/** No route has a schema for Fastify. It would otherwise load a validator and a serializer at each start. */
function refuseSchema(): never {
  throw new Error('Routes are validated by the contract, not by Fastify.');
}

/** Builds the gateway without listening, so that a test can inject requests. */
export function buildApp({
  settings,
  logger,
  servers,
  generation,
  embedding,
  telemetry,
  readerTimeoutMs = defaultReaderTimeoutMs,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    bodyLimit: settings.BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: maxSegment },
    rewriteUrl: (request) => protectEscapes(request.url ?? '/'),
    forceCloseConnections: 'idle',
    // During a stop the routes answer, because the framework's own 503 has no envelope and no request id.
    return503OnClosing: false,
    requestTimeout: 120_000,
    clientErrorHandler: answerClientError,
    // Node would answer these requests without the envelope. The service ignores both headers.
    http: { requireHostHeader: false },
  });
  app.server.on('connect', (_request, socket) =>
    answerClientError(new Error('CONNECT is not supported.'), socket),
  );
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  cutOffStalledReaders(app.server, readerTimeoutMs);
  runPipelinedInOrder(app);
  const pages = documentationPages(isAuthenticationOn(settings));
  observeRequests(app, { logger, metrics: telemetry.metrics });
  forbidStorage(app, operations);
  forbidSniffing(app);
  refuseSeveralHosts(app);
  spoolAnswers(app, logger, settings.UNREAD_ANSWERS_LIMIT_BYTES);
  acceptJsonBodies(app);
  refuseEncodedBodies(app);
  const servesMetrics = settings.METRICS_PORT === undefined;
  const others = [
    ...pages,
    mcpRoute,
    ...(servesMetrics ? [metricsPage] : []),
    ...(settings.CONSOLE ? consoleRoutes : []),
  ];
  admitRequests(app, settings, servers, others);
  takeTurns(app);
  app.setErrorHandler((failure, request, reply) => {
    const { bodyLimit } = request.routeOptions;
    const error = toServiceError(failure, bodyLimit, request.headers['content-length']);
    return sendError(reply, error, refusalPage(request, error, settings.CONSOLE));
  });
  const handlers = allHandlers(settings, servers, { generation, embedding });
  const bodies = new BodyReader();
  app.addHook('onClose', () => bodies.close());
  registerOperations(app, operationTable, handlers, bodies, settings.BODY_LIMIT_BYTES);
  serveMcp(app, handlers, bodies, settings.BODY_LIMIT_BYTES, servers);
  servePages(app, pages);
  if (settings.CONSOLE) serveConsole(app, readConsole());
  if (servesMetrics) serveMetrics(app, telemetry.scrape);
  return app;
}
