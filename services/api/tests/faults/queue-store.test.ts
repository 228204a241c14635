import { hasRedis, type RedisServer, startRedis, waitUntil } from '@continuity/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { documentCalls, experience } from '../support/documents.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const redisTest = test.skipIf(!hasRedis());

let redis: RedisServer;
let service: TestService;

beforeEach(async () => {
  redis = await startRedis();
});

afterEach(async () => {
  await service.stop();
  await redis.stop();
});

const start = async (environment: Record<string, string>) => {
  service = await startService({ workers: true, environment: { REDIS_URL: redis.url, ...environment } });
};

const capture = (scope_id: string, source_id: string) =>
  service.call('capture_content_source', {
    body: { scope_id, source_id, content: `We decided to keep ${source_id} of ${scope_id}.` },
  });
const flush = (scope_id: string) => service.call('flush_memory', { body: { scope_id } });
const pending = async () => {
  const rows = await query<{ pending: number }>(
    service.databaseUrl,
    'SELECT sum(eligible_count - extracted_count)::int AS pending FROM source_sequences',
  );
  return rows[0]?.pending;
};

redisTest(
  'spec 20 scenario 24: with the queue store down captures stay 202, and the backlog is emptied when it is back',
  async () => {
    await start({ MEMORY_AUTO_FLUSH_DEBOUNCE_MS: '200', MEMORY_AUTO_FLUSH_MAX_DELAY_MS: '500' });
    await capture('auto', 'before');
    await waitUntil(async () => (await pending()) === 0);
    await redis.stop();
    expect((await capture('auto', 'during')).status).toBe(202);
    await waitUntil(async () => (await service.call('get_readiness')).body.checks['queue'] === 'unavailable');
    const ready = await service.call('get_readiness');
    expect([ready.status, ready.body.status]).toEqual([200, 'degraded']);
    const jobsBefore = await query(service.databaseUrl, 'SELECT job_id FROM jobs WHERE NOT background');
    const refused = await flush('auto');
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      503,
      'queue_unavailable',
      {},
    ]);
    expect(await query(service.databaseUrl, 'SELECT job_id FROM jobs WHERE NOT background')).toEqual(
      jobsBefore,
    );
    await redis.start();
    await waitUntil(async () => (await pending()) === 0);
    const { body } = await service.call('list_memory_entries', { body: { scope_id: 'auto' } });
    expect(body.entries).toHaveLength(2);
  },
);

redisTest(
  'spec 10 scenario 2: with the queue store down Create, Replace, capture and publication succeed',
  async () => {
    await start({});
    await redis.stop();
    await waitUntil(async () => (await service.call('get_readiness')).body.status === 'degraded');
    expect((await service.call('get_readiness')).status).toBe(200);
    const { createExperience, replaceExperience } = documentCalls(service);
    const created = await createExperience('without-queue');
    expect(created.status).toBe(201);
    const { artifact_id } = created.body;
    const etag = created.headers.get('etag') ?? '';
    const replaced = await replaceExperience(
      'without-queue',
      artifact_id,
      etag,
      experience({ lesson: 'Go on.' }),
    );
    expect(replaced).toMatchObject({ status: 200, body: { revision: 2 } });
    expect((await capture('others', 'evidence')).status).toBe(202);
    const published = await service.call('publish_artifact', {
      body: {
        source: { scope_id: 'without-queue', artifact: { family: 'experience', artifact_id, revision: 2 } },
        target_scope_id: 'others',
        idempotency_key: 'without-queue',
      },
    });
    expect(published).toMatchObject({ status: 201, body: { target: { artifact: { revision: 1 } } } });
  },
);

redisTest('a queue that is emptied under waiting flushes loses none and doubles none', async () => {
  await start({ MEMORY_AUTO_FLUSH: 'off', WORKER_CONCURRENCY: '2' });
  const scopes = Array.from({ length: 60 }, (_, index) => `scope-${index}`);
  await Promise.all(scopes.map((scope) => capture(scope, 'a')));
  const client = new Redis(redis.url);
  const answers = scopes.map((scope) => flush(scope));
  const wipes = Array.from({ length: 20 }, () => client.flushall());
  await Promise.all(wipes);
  const replies = await Promise.all(answers);
  await client.quit();
  expect(replies.map(({ status }) => status)).toEqual(scopes.map(() => 200));
  for (const { body } of replies) expect(body).toMatchObject({ previous_cursor: 0, current_cursor: 1 });
  const revisions = await query(
    service.databaseUrl,
    "SELECT head_revision FROM artifacts WHERE family = 'memory' AND head_revision = 1",
  );
  expect(revisions).toHaveLength(scopes.length);
});

redisTest(
  'a full Redis is no ready queue: flushes are refused before anything is written, until it has room again',
  async () => {
    await start({ MEMORY_AUTO_FLUSH: 'off' });
    await capture('full', 'a');
    const client = new Redis(redis.url);
    const isQueue = (check: string) => async () =>
      (await service.call('get_readiness')).body.checks['queue'] === check;
    await client.config('SET', 'maxmemory', '1');
    await waitUntil(isQueue('unavailable'));
    const refused = await flush('full');
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      503,
      'queue_unavailable',
      {},
    ]);
    expect(await query(service.databaseUrl, 'SELECT job_id FROM jobs')).toEqual([]);
    await client.config('SET', 'maxmemory', '0');
    await waitUntil(isQueue('ready'));
    expect((await flush('full')).body).toMatchObject({ status: 'processed' });
    await client.quit();
  },
);
