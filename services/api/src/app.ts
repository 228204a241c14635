import {
  type Logger,
  type OperationSpec,
  ServiceError,
  type Settings,
  type Telemetry,
} from '@continuity/shared/kernel';
import { operations, operationTable } from '@continuity/shared/operations';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { allHandlers } from './handlers.ts';
import { authenticate } from './http/authenticate.ts';
import { acceptJsonBodies } from './http/body.ts';
import { sendError, toServiceError } from './http/errors.ts';
import { MethodTable } from './http/method-not-allowed.ts';
import { metricsPage, serveMetrics } from './http/metrics-page.ts';
import { observeRequests } from './http/observe-requests.ts';
import { protectEscapes } from './http/raw-path.ts';
import { registerOperations, unknownRoute } from './http/register-operations.ts';
import { describeApi } from './openapi/index.ts';
import { documentationPages, type Page, servePages } from './pages/index.ts';
import type { QueueProbes } from './readiness.ts';
import type { Runtime } from './runtime.ts';

/** Longest path segment that is looked at: 256 code points, each four bytes, each byte an escape, each escape escaped. */
const maxSegment = 256 * 4 * 5;

export interface AppOptions {
  settings: Settings;
  logger: Logger;
  runtime: Runtime;
  queue: QueueProbes;
  telemetry: Pick<Telemetry, 'metrics' | 'scrape'>;
}

/** Builds the gateway without listening, so that a test can inject requests. */
export function buildApp({ settings, logger, runtime, queue, telemetry }: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: settings.BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: maxSegment },
    rewriteUrl: (request) => protectEscapes(request.url ?? '/'),
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
  });
  observeRequests(app, { logger, metrics: telemetry.metrics });
  acceptJsonBodies(app);
  app.decorateRequest('tenantId', 0);
  app.addHook('onRequest', async (request) => {
    if (operationOf(request)?.auth === 'public') return;
    request.tenantId = authenticate(runtime.require(), request.headers.authorization);
  });
  app.setErrorHandler((failure, _request, reply) =>
    sendError(reply, toServiceError(failure, settings.BODY_LIMIT_BYTES)),
  );
  const pages = documentationPages(describeApi(operations));
  answerUnknownRoutes(app, pages);
  serveMetrics(app, telemetry.scrape);
  registerOperations(app, operationTable, allHandlers(settings, runtime, queue));
  servePages(app, pages);
  return app;
}

function operationOf(request: FastifyRequest): OperationSpec | undefined {
  return request.routeOptions.config.operation;
}

/** 404 for an unknown path, 405 for a known one that does not take the method. */
function answerUnknownRoutes(app: FastifyInstance, pages: readonly Page[]): void {
  const methods = new MethodTable([...operations, ...pages, metricsPage]);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.allowed(request.originalUrl);
    if (allowed.length === 0) return sendError(reply, unknownRoute());
    reply.header('Allow', allowed.join(', '));
    return sendError(reply, new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} here.`));
  });
}
