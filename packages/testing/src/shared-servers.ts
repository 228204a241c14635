import { administer } from './database.ts';
import { isDockerAvailable, postgresImage, redisImage } from './docker.ts';
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { findRedisServer } from './tools.ts';

/** A server that all tests of a run share. */
type SharedServer = { url: string; origin: string; close(): Promise<void> };

const settings = { max_connections: '400', scram_iterations: '1' };
const fast = { ...settings, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const password = 'postgres';

/** Returns the PostgreSQL of DATABASE_URL; else starts one with Docker if it answers, else the embedded one. */
export async function sharedPostgres(): Promise<SharedServer> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, origin: 'DATABASE_URL', close: async () => {} };
  if (await isDockerAvailable()) return await postgresContainer();
  const server = await startPostgres({ durable: false, settings });
  // Hashes the password once more, with one iteration: a run opens thousands of connections.
  await administer(server.url, `ALTER ROLE postgres PASSWORD '${password}'`);
  return { url: server.url, origin: 'embedded', close: server.stop };
}

/** Whether `sharedRedis` finds a Redis. */
export const canProvideRedis = async (): Promise<boolean> =>
  Boolean(process.env['REDIS_URL'] || (await findRedisServer()) || (await isDockerAvailable()));

/**
 * Returns the Redis of REDIS_URL; else starts one with Docker if it answers, else an installed `redis-server`. Undefined without any.
 */
export async function sharedRedis(): Promise<SharedServer | undefined> {
  if (!(await canProvideRedis())) return undefined;
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, origin: 'REDIS_URL', close: async () => {} };
  if (await isDockerAvailable()) return await redisContainer();
  const server = await startRedis({ persistent: false });
  return { url: server.url, origin: server.runner, close: server.stop };
}

async function postgresContainer(): Promise<SharedServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(postgresImage)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withExposedPorts(5432)
    .withCommand(Object.entries(fast).flatMap(([name, value]) => ['-c', `${name}=${value}`]))
    // The image starts the server twice: first to initialize the database.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .start();
  return {
    url: `postgresql://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    origin: `Docker, ${postgresImage}`,
    close: async () => {
      await container.stop();
    },
  };
}

async function redisContainer(): Promise<SharedServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(redisImage)
    .withExposedPorts(6379)
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    origin: `Docker, ${redisImage}`,
    close: async () => {
      await container.stop();
    },
  };
}
