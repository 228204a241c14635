import { startGateway } from '@continuity/api';
import { createLogger, loadSettings } from '@continuity/shared/kernel';
import { type Client, clientFor, createDatabase, redisFor, testBackend } from '@continuity/testing';

/** A running service over a database of its own, and a client of it. */
export interface TestService extends Client {
  url: string;
  databaseUrl: string;
  stop(): Promise<void>;
}

/** Starts the service as `environment` says, on the backend of this test project. */
export async function startService(environment: Record<string, string> = {}): Promise<TestService> {
  const database = await createDatabase();
  const redis = testBackend() === 'redis' ? redisFor() : undefined;
  const settings = loadSettings({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }),
    ...environment,
  });
  const gateway = await startGateway(settings, createLogger(settings, 'test'));
  await gateway.ready;
  return {
    ...clientFor(gateway.url),
    url: gateway.url,
    databaseUrl: database.url,
    stop: async () => {
      await gateway.stop();
      await database.drop();
    },
  };
}
