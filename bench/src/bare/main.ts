import { randomBytes } from 'node:crypto';
import type { OperationSpec } from '@continuity/contract';
import { memoryOperations } from '@continuity/contract/memory';
import { sourceOperations } from '@continuity/contract/sources';
import { openJobGateway } from '@continuity/shared/jobs';
import {
  CursorCodec,
  createLogger,
  type Handler,
  loadSettings,
  newRequestId,
  openDatabase,
  requireDatabaseUrl,
  runUntilSignal,
  systemClock,
  type TenantId,
} from '@continuity/shared/kernel';
import { queueStoreOf } from '@continuity/shared/kernel/queue';
import { type MemoryDeps, memoryHandlers, VectorSupportCache } from '@continuity/shared/memory';
import { CorpusCache } from '@continuity/shared/search';
import { type SourceDeps, sourceHandlers } from '@continuity/shared/sources';
import { sourceBodies } from '@continuity/shared/sources/bodies';
import { defaultTenant, ensureTenant } from '@continuity/shared/tenants';
import Fastify, { type FastifyInstance } from 'fastify';

const operations: Record<string, OperationSpec> = { ...memoryOperations, ...sourceOperations };
type Deps = MemoryDeps & SourceDeps;

const handlers: Record<string, Handler<OperationSpec, Deps>> = {
  ...(memoryHandlers as object),
  ...(sourceHandlers as object),
};

/** Conversions of bodies to what the handlers get. */
const preparations: Record<string, ((body: never) => unknown) | undefined> = sourceBodies;

/** The handlers of the service behind Fastify, without validation, metrics, traces and logs. */
function buildBareApp(deps: Deps, bodyLimit: number, tenantId: TenantId): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit,
    genReqId: newRequestId,
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => JSON.parse(body.toString('utf8')),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Service-Request-ID', request.id);
  });
  for (const [id, { method, path, status }] of Object.entries(operations)) {
    const handler = handlers[id];
    if (handler === undefined || path.includes('{')) continue;
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const caller = { tenantId, signal: new AbortController().signal, actor: null, respondAsync: false };
        const prepared = preparations[id]?.(request.body as never) ?? request.body;
        const input = { params: undefined, query: undefined, headers: undefined, body: prepared };
        const { body } = await handler(deps, caller, input as never);
        return reply.status(status).send(body);
      },
    });
  }
  app.get('/health/ready', async () => ({ status: 'ready' }));
  return app;
}

await runUntilSignal('bare gateway', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'bare');
  const database = openDatabase({
    url: requireDatabaseUrl(settings),
    size: settings.DATABASE_POOL_SIZE,
    name: 'continuity-bare',
    onIdleError: () => undefined,
  });
  const cursors = new CursorCodec(randomBytes(32));
  const databaseUrl = requireDatabaseUrl(settings);
  const store = queueStoreOf(settings, databaseUrl);
  const jobs = await openJobGateway({ database, databaseUrl, store, waitMs: settings.JOB_WAIT_MS, logger });
  const searchDeps = {
    database,
    embedder: () => null,
    vectorSupport: new VectorSupportCache(),
    corpusCache: new CorpusCache(),
    reranker: null,
  };
  const deps = { database, jobs, cursors, searchDeps, logger, clock: systemClock, flushDelay: null };
  const tenantId = await ensureTenant(database, defaultTenant);
  const app = buildBareApp(deps, settings.BODY_LIMIT_BYTES, tenantId);
  await app.listen({ host: settings.HOST, port: settings.PORT });
  const stop = async () => {
    await app.close();
    await jobs.close();
    await database.close();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger };
});
