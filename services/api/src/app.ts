import { maxHeaderSize } from 'node:http';
import { type Logger, type OperationSpec, ServiceError, type Settings } from '@continuity/shared/kernel';
import { operationTable } from '@continuity/shared/operations';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { allHandlers } from './handlers.ts';
import { authenticate } from './http/authenticate.ts';
import { acceptJsonBodies } from './http/body.ts';
import { answerClientError } from './http/client-error.ts';
import { logFailure, sendError, toServiceError } from './http/errors.ts';
import { MethodTable } from './http/method-not-allowed.ts';
import { limitRate } from './http/rate-limit.ts';
import { protectEscapes } from './http/raw-path.ts';
import { registerOperations, unknownRoute } from './http/register-operations.ts';
import { newRequestId, requestIdHeader } from './http/request-id.ts';
import type { QueueProbes } from './readiness.ts';
import type { Runtime } from './runtime.ts';

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
    genReqId: newRequestId,
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
    clientErrorHandler: answerClientError,
    // Node would answer these by itself, without the envelope. Neither header means anything here.
    http: { requireHostHeader: false },
  });
  app.server.on('connect', (_request, socket) => answerClientError(new Error('This is no proxy.'), socket));
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  acceptJsonBodies(app);
  app.decorateRequest('tenantId', 0);
  const checkRate = limitRate(app, settings.RATE_LIMIT_PER_MINUTE);
  const refuseUnknownRoute = unknownRoutes();
  // In the order of spec 10 §1.2: token, then route and method; the body is not looked at before.
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    if (operationOf(request)?.auth === 'public') return;
    request.tenantId = authenticate(runtime.require(), request.headers.authorization);
    await checkRate(request, reply);
    if (request.is404) refuseUnknownRoute(request, reply);
  });
  app.setErrorHandler((failure, request, reply) => {
    const error = toServiceError(failure, settings.BODY_LIMIT_BYTES);
    logFailure(logger, error, request.id);
    return sendError(reply, error);
  });
  registerOperations(app, operationTable, allHandlers(settings, runtime, queue));
  return app;
}

function operationOf(request: FastifyRequest): OperationSpec | undefined {
  return request.routeOptions.config.operation;
}

/** Throws 404 for an unknown path, 405 for a known one that does not take the method. */
function unknownRoutes(): (request: FastifyRequest, reply: FastifyReply) => never {
  const methods = new MethodTable(Object.values(operationTable));
  return (request, reply) => {
    const allowed = methods.allowed(request.originalUrl);
    if (allowed.length === 0) throw unknownRoute();
    reply.header('Allow', allowed.join(', '));
    throw new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} here.`);
  };
}
