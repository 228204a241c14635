import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@continuity/kernel/config';
import { migrate } from '@continuity/kernel/database';
import { openProducer, queueStoreOf } from '@continuity/kernel/queue';
import {
  type Certificates,
  hasRedis,
  makeCertificates,
  startPostgres,
  startTlsRedis,
} from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { takeTurn } from '../support/turn.ts';

const user = 'postgres';
const certificates = await makeCertificates(user);
const foreign = await makeCertificates(user);
let postgres: Awaited<ReturnType<typeof startTlsPostgres>>;
let redis: Awaited<ReturnType<typeof startTlsRedis>>;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startTlsPostgres(certificates), startTlsRedis(certificates)]);
});

afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

/** A PostgreSQL that takes connections with TLS and a client certificate alone. */
async function startTlsPostgres({ directory, ca, server }: Certificates) {
  const rules = join(directory, 'pg_hba.conf');
  writeFileSync(rules, 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-full\n');
  if (process.getuid?.() === 0) {
    const group = Number(execFileSync('id', ['-g', user], { encoding: 'utf8' }));
    chownSync(server.key, 0, group);
    chmodSync(server.key, 0o640);
  }
  const files = { ssl_cert_file: server.cert, ssl_key_file: server.key, ssl_ca_file: ca, hba_file: rules };
  return await startPostgres({ durable: false, settings: { ssl: 'on', ...files } });
}

function databaseUrl({ ca, client }: Certificates): string {
  const url = new URL(postgres.url);
  url.hostname = 'localhost';
  url.search = new URLSearchParams({
    sslmode: 'verify-full',
    sslrootcert: ca,
    sslcert: client.cert,
    sslkey: client.key,
  }).toString();
  return url.href;
}

const redisSettings = ({ ca, client }: Certificates) => ({
  REDIS_URL: `rediss://localhost:${redis.port}`,
  REDIS_TLS_CA_FILE: ca,
  REDIS_TLS_CERT_FILE: client.cert,
  REDIS_TLS_KEY_FILE: client.key,
});

test.skipIf(!hasRedis())(
  'gateway, workers and reports reach both stores over TLS with client certificates',
  async () => {
    const url = databaseUrl(certificates);
    await migrate(url);
    const service = await startService({
      workers: true,
      environment: { DATABASE_URL: url, ...redisSettings(certificates) },
    });
    await takeTurn(service);
    await service.stop();
  },
);

test.skipIf(!hasRedis()).each([
  ['a server of another authority', { ...certificates, ca: foreign.ca }],
  ['a client certificate of another authority', { ...certificates, client: foreign.client }],
])('%s is refused', async (_name, wrong) => {
  const client = new pg.Client({ connectionString: databaseUrl(wrong) });
  client.on('error', () => undefined);
  await expect(client.connect()).rejects.toThrow();
  const errors: string[] = [];
  const settings = loadSettings({ DATABASE_URL: databaseUrl(wrong), ...redisSettings(wrong) });
  const producer = await openProducer({
    store: queueStoreOf(settings, ''),
    onError: (error) => errors.push(String(error)),
  });
  expect(await producer.check()).toBe('unavailable');
  await producer.close();
  expect(errors).not.toEqual([]);
});
