import { randomBytes } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import { type Logger, type OperationSpec, ServiceError, type Settings } from '@continuity/shared/kernel';
import { operationTable } from '@continuity/shared/operations';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { allHandlers } from './handlers.ts';
import { authenticate } from './http/authenticate.ts';
import { acceptJsonBodies } from './http/body.ts';
import { logFailure, sendError, toServiceError } from './http/errors.ts';
import { MethodTable } from './http/method-not-allowed.ts';
import { protectEscapes } from './http/raw-path.ts';
import { registerOperations, unknownRoute } from './http/register-operations.ts';
import type { QueueProbes } from './readiness.ts';
import type { Runtime } from './runtime.ts';

export const requestIdHeader = 'X-Service-Request-ID';

/** No segment is too long for the router: what Node lets in, each `%` of it escaped. Its length is the schema's to judge. */
const maxSegment = maxHeaderSize * 3;

/** Builds the gateway without listening, so that a test can inject requests. */
export function buildApp(
  settings: Settings,
  logger: Logger,
  runtime: Runtime,
  queue: QueueProbes,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: settings.BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: maxSegment },
    rewriteUrl: (request) => protectEscapes(request.url ?? '/'),
    genReqId: () => randomBytes(16).toString('hex'),
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
  });
  acceptJsonBodies(app);
  app.decorateRequest('tenantId', 0);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    if (operationOf(request)?.auth === 'public') return;
    request.tenantId = authenticate(runtime.require(), request.headers.authorization);
  });
  app.setErrorHandler((failure, request, reply) => {
    const error = toServiceError(failure, settings.BODY_LIMIT_BYTES);
    logFailure(logger, error, request.id);
    return sendError(reply, error);
  });
  answerUnknownRoutes(app);
  registerOperations(app, operationTable, allHandlers(settings, runtime, queue));
  return app;
}

function operationOf(request: FastifyRequest): OperationSpec | undefined {
  return request.routeOptions.config.operation;
}

/** 404 for an unknown path, 405 for a known one that does not take the method. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new MethodTable(Object.values(operationTable));
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.allowed(request.originalUrl);
    if (allowed.length === 0) return sendError(reply, unknownRoute());
    reply.header('Allow', allowed.join(', '));
    return sendError(reply, new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} here.`));
  });
}
