import { startGateway } from '@continuity/api';
import { type Clock, createLogger, loadSettings, type Settings } from '@continuity/shared/kernel';
import {
  type Client,
  clientFor,
  createDatabase,
  redisFor,
  testBackend,
  waitUntil,
} from '@continuity/testing';
import { startWorkers } from '@continuity/workers';

/** A running service over a database of its own, and a client of it. */
export interface TestService extends Client {
  url: string;
  databaseUrl: string;
  settings: Settings;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  environment?: Record<string, string>;
  /** Workers beside the gateway, in this process. */
  workers?: boolean;
  /** The gateway's time, where a test moves it. */
  clock?: Clock;
}

/** Starts the service as `environment` says, on the backend of this test project. */
export async function startService({
  environment = {},
  workers = false,
  clock,
}: ServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase();
  const redis = testBackend() === 'redis' ? redisFor() : undefined;
  const settings = loadSettings({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }),
    ...environment,
  });
  const logger = createLogger(settings, 'test');
  const gateway = await startGateway(settings, logger, clock);
  await gateway.ready;
  const running = workers ? await startWorkers(settings, logger) : undefined;
  if (running !== undefined) await waitUntil(() => allWorkersSeen(gateway.url));
  return {
    ...clientFor(gateway.url),
    url: gateway.url,
    databaseUrl: database.url,
    settings,
    stop: async () => {
      await gateway.stop();
      await running?.stop();
      await database.drop();
    },
  };
}

/** A second gateway of the same deployment. */
export async function startSecondGateway({
  settings,
}: TestService): Promise<Client & { url: string; stop(): Promise<void> }> {
  const gateway = await startGateway(settings, createLogger(settings, 'test'));
  await gateway.ready;
  return { ...clientFor(gateway.url), url: gateway.url, stop: () => gateway.stop() };
}

async function allWorkersSeen(url: string): Promise<boolean> {
  const { body } = await clientFor(url).call('get_readiness');
  return body.status === 'ready';
}
