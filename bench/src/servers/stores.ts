import { randomBytes } from 'node:crypto';
import { availableMemory } from '@continuity/embedded-postgres';
import { migrate } from '@continuity/shared/kernel';
import { startPostgres, startRedis } from '@continuity/testing/servers';
import pg from 'pg';

/** PostgreSQL and Redis for a whole run. */
export interface Stores {
  /** A database from which others may be made and dropped. */
  adminUrl: string;
  origin: string;
  redisUrl: string;
  close(): Promise<void>;
}

/** A migrated database of one benchmark's own. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Sessions of four gateways, a worker, their listeners and the direct clients. */
const maxConnections = '200';

/** A quarter of the machine's memory, as PostgreSQL's manual has it for a server that is not tried out but used. */
const sharedBuffers = `${Math.floor(availableMemory() / 4 / 2 ** 20)}MB`;

/** Those of DATABASE_URL and REDIS_URL; where one is not set, a server of this run's own, as durable as by default. */
export async function openStores(): Promise<Stores> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  const [postgres, redis] = await Promise.all([
    databaseUrl === undefined
      ? startPostgres({ settings: { max_connections: maxConnections, shared_buffers: sharedBuffers } })
      : undefined,
    redisUrl === undefined ? startRedis({ persistent: true }) : undefined,
  ]);
  return {
    adminUrl: databaseUrl ?? urlOf(postgres),
    origin: postgres === undefined ? 'DATABASE_URL' : `embedded, fsync on, ${sharedBuffers} of buffers`,
    redisUrl: redisUrl ?? urlOf(redis),
    close: async () => {
      await Promise.all([postgres?.stop(), redis?.stop()]);
    },
  };
}

function urlOf(server: { url: string } | undefined): string {
  if (server === undefined) throw new Error('A server that was just started is not there.');
  return server.url;
}

/** Makes an empty database at this build's schema. */
export async function createOwnDatabase({ adminUrl }: Stores): Promise<OwnDatabase> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return {
    url: url.href,
    drop: () => administer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
