import { loadSettings } from '@continuity/kernel/config';
import type { TenantId } from '@continuity/kernel/database';
import { hasRedis, startRedis, startTcpProxy } from '@continuity/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { limitRate } from '../../src/limits/rate.ts';
import { expectError } from '../support/envelope.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const tenants = ['calm', 'busy', 'lost', 'racing', 'counted'] as const;
const service = await startService({
  environment: { RATE_LIMIT_PER_MINUTE: '5', AUTH_TOKENS_FILE: await writeTokens(...tenants) },
});
const [calm, busy, lost, racing, counted] = tenants.map((tenant) => clientOf(service.url, tenant));

afterAll(() => service.stop());

test('a tenant over its limit is 429 with Retry-After, and no other tenant is', async () => {
  for (let index = 0; index < 5; index += 1) {
    expect((await busy?.send('GET', '/v1/capabilities'))?.status).toBe(200);
  }
  const reply = await service.send('GET', '/v1/capabilities', undefined, {
    authorization: 'Bearer token-of-busy-0123456789',
  });
  expectError(reply, 429, 'rate_limited');
  expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect((await calm?.send('GET', '/v1/capabilities'))?.status).toBe(200);
});

test('answers carry the limit, what is left of it, and when it begins anew', async () => {
  const replies = [];
  for (let index = 0; index < 6; index += 1) replies.push(await counted?.send('GET', '/v1/capabilities'));
  expect(replies.map((reply) => reply?.headers.get('ratelimit-remaining'))).toEqual([...'432100']);
  for (const reply of replies) {
    expect(reply?.headers.get('ratelimit-limit')).toBe('5');
    const resetSeconds = Number(reply?.headers.get('ratelimit-reset'));
    expect(resetSeconds).toBeGreaterThan(0);
    expect(resetSeconds).toBeLessThanOrEqual(60);
  }
});

test.skipIf(!hasRedis())(
  'all gateways count together with Redis, and each its own while it is down',
  async () => {
    const redis = await startRedis({ persistent: false });
    const first = await startService({
      environment: {
        REDIS_URL: redis.url,
        RATE_LIMIT_PER_MINUTE: '5',
        AUTH_TOKENS_FILE: await writeTokens(...tenants),
      },
    });
    const second = await startSecondGateway(first);
    const served = async (tenant: string) => {
      const clients = [clientOf(first.url, tenant), clientOf(second.url, tenant)];
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => clients[index % 2]?.send('GET', '/v1/capabilities')),
      );
      return replies.filter((reply) => reply?.status === 200).length;
    };
    try {
      expect(await served('calm')).toBe(5);
      await redis.stop();
      expect(await served('lost')).toBe(10);
    } finally {
      await second.stop();
      await first.stop();
      await redis.stop();
    }
  },
);

test.skipIf(!hasRedis())(
  'a gateway whose connection to Redis takes long counts together with the others from its first request on',
  async () => {
    const redis = await startRedis({ persistent: false });
    const proxy = await startTcpProxy(redis.url);
    proxy.freeze();
    setTimeout(proxy.resume, 200);
    const gateways = [await startLimited(proxy.url), await startLimited(proxy.url)];
    try {
      expect(await countServed(gateways)).toBe(5);
    } finally {
      for (const app of gateways) await app.close();
      await proxy.stop();
      await redis.stop();
    }
  },
);

test.skipIf(!hasRedis())('a gateway that starts without Redis counts its own requests', async () => {
  const redis = await startRedis({ persistent: false });
  await redis.stop();
  const app = await startLimited(redis.url);
  expect(await countServed([app])).toBe(5);
  await app.close();
});

/** An app with the limiter of a gateway: 5 requests a minute, counted in Redis. */
async function startLimited(redisUrl: string): Promise<FastifyInstance> {
  const environment = { DATABASE_URL: service.databaseUrl, REDIS_URL: redisUrl, RATE_LIMIT_PER_MINUTE: '5' };
  const app = Fastify();
  app.decorateRequest('tenantId', 1 as TenantId);
  app.addHook('onRequest', limitRate(app, loadSettings(environment)));
  app.get('/', async () => 'served');
  await app.ready();
  return app;
}

/** Sends 20 requests at once, to the apps in turn. Returns how many are served. */
async function countServed(apps: FastifyInstance[]): Promise<number> {
  const requests = Array.from({ length: 20 }, (_, index) => apps[index % apps.length]?.inject('/'));
  const replies = await Promise.all(requests);
  return replies.filter((reply) => reply?.statusCode === 200).length;
}

test('the limit is judged after the token, and before route, body and database', async () => {
  for (let index = 0; index < 5; index += 1) {
    expect((await lost?.send('GET', '/nothing'))?.status).toBe(404);
  }
  for (const [method, path, body] of [
    ['GET', '/nothing', undefined],
    ['DELETE', '/v1/capabilities', undefined],
    ['POST', '/v1/memory/remember', 'not json'],
  ] as const) {
    const reply = await lost?.send(method, path, body);
    if (reply !== undefined) expectError(reply, 429, 'rate_limited');
  }
});

test('requests without a valid token count for nobody, and health is never limited', async () => {
  for (let index = 0; index < 10; index += 1) {
    expectError(await service.send('GET', '/v1/capabilities'), 401, 'unauthorized');
    expect((await busy?.send('GET', '/health/live'))?.status).toBe(200);
  }
});

test('of requests at once exactly the limit is served', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => racing?.send('GET', '/v1/capabilities')),
  );
  expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(5);
  expect(replies.filter((reply) => reply?.status === 429)).toHaveLength(15);
});
