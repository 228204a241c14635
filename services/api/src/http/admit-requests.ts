import type { OperationSpec } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import type { Settings } from '@continuity/kernel/config';
import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitConcurrency } from '../limits/concurrency.ts';
import { limitRate } from '../limits/rate.ts';
import { isBrowserAtRoot, isConsolePath } from '../pages/index.ts';
import type { Servers } from '../servers.ts';
import { authenticate, authorize } from './authenticate.ts';
import { rawPath } from './raw-path.ts';
import { findTarget, refuseCredential, requireHttps } from './receiver-requests.ts';
import { guardHosts } from './trusted-hosts.ts';
import { refuseUnknownRoutes } from './unknown-route.ts';

/** Checks in the order of spec 10 §1.2: token, then route and method, before the body is read. */
export function admitRequests(
  app: FastifyInstance,
  settings: Settings,
  servers: Servers,
  others: readonly Pick<OperationSpec, 'method' | 'path'>[],
): void {
  app.decorateRequest('tenantId', 0 as TenantId);
  app.decorateRequest('actor', null);
  app.decorateRequest('target', undefined);
  app.decorateRequest('epoch', undefined);
  const checkRate = limitRate(app, settings);
  const checkConcurrency = limitConcurrency(settings.CONCURRENT_REQUESTS_LIMIT);
  const requireTrustedHost = guardHosts(settings);
  const refuseUnknownRoute = refuseUnknownRoutes([...operations, ...others]);
  app.addHook('onRequest', async (request, reply) => {
    const auth = settings.CONSOLE && isOfConsole(request) ? 'console' : authOf(request);
    if (auth !== 'public') {
      requireTrustedHost(request);
      await admit[auth](servers, request, settings);
      if (request.tenantId !== 0) {
        checkConcurrency(request, reply);
        await checkRate(request, reply);
      }
    }
    if (!request.is404) return;
    // The location is relative, so that it holds behind a proxy that serves the service below a path.
    if (isBrowserAtRoot(request)) return reply.redirect(settings.CONSOLE ? 'console/' : 'docs');
    refuseUnknownRoute(request, reply);
  });
}

/** Authenticates a request. Throws 401 without a valid token or credential. */
type Admission = (servers: Servers, request: FastifyRequest, settings: Settings) => Promise<void>;

const admit: Record<Exclude<OperationSpec['auth'], 'public'> | 'console', Admission> = {
  // The files are the same for everybody, and hold nothing of a tenant (spec 60 §4.2).
  console: async (_servers, request) => refuseCredential(request.raw),

  bearer: async (servers, request) => {
    const assembled = await servers.latest(request.raw);
    refuseCredential(request.raw);
    const isMcp = request.routeOptions.config.page === 'mcp';
    const requester = authenticate(assembled, request.raw, isMcp ? mcpTokenAdvice : undefined);
    authorize(requester, request);
    if (requester.role === 'operator') return;
    request.epoch = assembled.epoch;
    request.tenantId = requester.tenantId;
    request.actor = requester.actor;
  },

  target: async (servers, request, settings) => {
    await servers.requireReady();
    requireHttps(settings, request.raw);
    const found = await servers.find(async ({ deps, epoch }) => {
      const holder = await findTarget(deps.database.sql, request.raw);
      return holder && { ...holder, epoch };
    });
    // The same 401 for anything but the credential of an active target.
    if (found === undefined) throw serviceError('unauthorized');
    request.epoch = found.epoch;
    request.tenantId = found.tenantId;
    request.target = found.target;
  },

  code: async (servers, request, settings) => {
    await servers.requireReady();
    requireHttps(settings, request.raw);
  },
};

/** A client of MCP shows a person the message and nothing else (spec 70 §5.4). */
const mcpTokenAdvice =
  'Send a valid token as `Authorization: Bearer <token>`. A host that cannot send headers starts `continuity mcp`, which sends the token ' +
  'of its profile.';

/** Where clients look for metadata of an authorization server, which the service does not have: 404 ends that search (spec 70 §5.4). */
function isDiscovery(request: FastifyRequest): boolean {
  return request.is404 && rawPath(request.originalUrl).startsWith('/.well-known/');
}

/** A file of the console, or the root in a browser, which leads there. */
function isOfConsole(request: FastifyRequest): boolean {
  return isConsolePath(rawPath(request.originalUrl)) || isBrowserAtRoot(request);
}

const authOfPath = new Map(operations.map(({ path, auth }) => [path, auth]));

/**
 * The authentication that a request needs. An unsupported method needs that of its path (spec 00 §6). Unknown paths and pages need the
 * token of a tenant.
 */
function authOf(request: FastifyRequest): OperationSpec['auth'] {
  if (isDiscovery(request)) return 'public';
  const operation = request.routeOptions.config.operation;
  return operation?.auth ?? authOfPath.get(rawPath(request.originalUrl)) ?? 'bearer';
}
