import { randomBytes } from 'node:crypto';
import { availableMemory } from '@continuity/embedded-postgres';
import { migrate } from '@continuity/kernel/database';
import { startPostgres, startRedis } from '@continuity/testing/servers';
import pg from 'pg';

/** The PostgreSQL and Redis servers of a run. */
export interface Stores {
  /** The URL of a database whose role can create databases. */
  adminUrl: string;
  origin: string;
  redisUrl: string;
  close(): Promise<void>;
}

/** A migrated database for one benchmark. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Sessions of four gateways, a worker, their listeners and the direct clients. */
const maxConnections = '200';

/** A quarter of the memory, as the PostgreSQL manual recommends for a dedicated server. */
const sharedBuffers = `${Math.floor(availableMemory() / 4 / 2 ** 20)}MB`;

/** Uses DATABASE_URL and REDIS_URL. Starts a server with default durability for each that is not set. */
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
  if (server === undefined) throw new Error('The server was not started.');
  return server.url;
}

/** Creates a database and applies the migrations. */
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
