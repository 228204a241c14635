import { randomBytes } from 'node:crypto';
import { migrate } from '@continuity/kernel/database';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';
import { administer, databaseUrl } from './database.ts';
import type { Harness } from './provided.ts';
import { sharedPostgres, sharedRedis } from './shared-servers.ts';

/** Starts the servers that all tests of a run share, and prints which they are. The returned function stops them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([sharedPostgres(), sharedRedis()]);
  const run = `test_${randomBytes(4).toString('hex')}`;
  const harness: Harness = { run, adminUrl: postgres.url, template: `${run}_template`, redisUrl: redis?.url };
  await administer(harness.adminUrl, `CREATE DATABASE "${harness.template}"`);
  await migrate(databaseUrl(harness.adminUrl, harness.template));
  project.provide('harness', harness);
  const queues = redis ? `Redis (${redis.origin})` : 'no Redis';
  process.stdout.write(`Testing on PostgreSQL (${postgres.origin}) and ${queues}.\n`);

  return async () => {
    await dropDatabases(harness);
    await dropKeys(harness);
    await Promise.all([postgres.close(), redis?.close()]);
  };
}

async function dropDatabases({ adminUrl, run }: Harness): Promise<void> {
  const left = await administer(adminUrl, `SELECT datname FROM pg_database WHERE datname LIKE '${run}\\_%'`);
  for (const { datname } of left) {
    await administer(adminUrl, `DROP DATABASE IF EXISTS "${String(datname)}" WITH (FORCE)`);
  }
}

async function dropKeys({ redisUrl, run }: Harness): Promise<void> {
  if (redisUrl === undefined) return;
  const redis = new Redis(redisUrl);
  try {
    for await (const keys of redis.scanStream({ match: `${run}-*`, count: 1_000 })) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
