import { migrate } from '@continuity/kernel/database';
import { startPostgres, startTcpProxy, underLoad, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const postgres = await startPostgres();
await migrate(postgres.url);
const service = await startService({ environment: { DATABASE_URL: postgres.url } });

afterAll(async () => {
  await service.stop();
  await postgres.stop();
});

const { entry } = await remember(service, 's', 'kept');
const citation = entry.citation;

/** One good request of each operation that needs the database. */
const requests: [string, string, unknown][] = [
  ['POST', '/v1/memory/remember', { scope_id: 's', kind: 'fact', text: 'kept' }],
  ['POST', '/v1/memory/search', { scope_id: 's', query: 'kept' }],
  ['POST', '/v1/context/prepare', { scope_id: 's', query: 'kept' }],
  ['POST', '/v1/memory/entries/list', { scope_id: 's' }],
  ['POST', '/v1/memory/entries/get', { scope_id: 's', citation }],
  ['POST', '/v1/memory/entries/revise', { scope_id: 's', citation, kind: 'fact', text: 'kept' }],
  ['POST', '/v1/memory/changes', { scope_id: 's' }],
  ['POST', '/v1/sources/content', { scope_id: 's', source_id: 'one', content: 'x' }],
  ['POST', '/v1/scopes/s/sources', { content: 'x' }],
  ['GET', '/v1/scopes/s/sources/content/one', undefined],
];

test.each(['stop', 'kill'] as const)(
  'spec 10 scenario 1: with the database gone (%s) only what needs it is 503, and it comes back by itself',
  async (how) => {
    await postgres[how]();
    expect((await service.send('GET', '/health/live')).status).toBe(200);
    // The sessions of a killed server notice its end a moment later.
    const ready = await waitUntil(async () => {
      const reply = await service.send('GET', '/health/ready');
      return reply.status === 503 && reply;
    });
    expect(ready).toMatchObject({ status: 503, json: { status: 'not_ready', checks: { runtime: 'ready' } } });
    expect((ready.json as { checks: { database: string } }).checks.database).not.toBe('ready');
    expect(ready.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(ready.headers.get('cache-control')).toBe('no-store');
    for (const [method, path, body] of requests) {
      expectError(await service.send(method, path, body), 503, 'database_unavailable');
    }
    expectError(await service.send('POST', '/v1/memory/remember', {}), 422, 'invalid_request');

    await postgres.start();
    await waitUntil(async () => (await service.send('GET', '/health/ready')).status === 200);
    for (const [method, path, body] of requests) {
      const { status, text } = await service.send(method, path, body);
      expect({ path, text, isFine: status >= 200 && status < 300 }).toMatchObject({ path, isFine: true });
    }
  },
);

test('spec 10 §1.4: requests in flight while the database dies get an answer, and none is 500', async () => {
  const statuses = new Set<number>();
  let isDown = false;
  const run = async (client: number) => {
    for (let index = 0, after = 0; after < 20; index += 1, after += Number(isDown)) {
      const body = { scope_id: `c${client}`, kind: 'fact', text: `${index}` };
      statuses.add((await service.send('POST', '/v1/memory/remember', body)).status);
    }
  };
  const clients = Promise.all(Array.from({ length: 10 }, (_, client) => run(client)));
  await waitUntil(() => statuses.has(200));
  await postgres.kill();
  isDown = true;
  await clients;
  expect([...statuses].sort()).toEqual([200, 503]);
  await postgres.start();
  await waitUntil(async () => (await service.send('GET', '/health/ready')).status === 200);
});

test('spec 00 §3: a connection to the database that is reset under a request is 503, not the fault of the caller', async () => {
  const proxy = await startTcpProxy(postgres.url);
  const cut = await startService({ environment: { DATABASE_URL: proxy.url } });
  await remember(cut, 'reset', 'before');
  const blocker = new pg.Client({ connectionString: postgres.url });
  await blocker.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query("SELECT FROM artifacts WHERE artifact_id = 'memory' FOR UPDATE");
    const body = { scope_id: 'reset', kind: 'fact', text: 'under way' };
    const answer = cut.send('POST', '/v1/memory/remember', body);
    const waits =
      "SELECT FROM pg_stat_activity WHERE application_name = 'continuity-api' AND wait_event_type = 'Lock'";
    await waitUntil(async () => (await query(postgres.url, waits)).length > 0);
    proxy.reset();
    expectError(await answer, 503, 'database_unavailable');
    await blocker.query('ROLLBACK');
    expect((await cut.send('POST', '/v1/memory/remember', body)).status).toBe(200);
  } finally {
    await blocker.end();
    await cut.stop();
    await proxy.stop();
  }
});

test('a database that is frozen is 503 within 5 s, its readiness within 3 s, and it is used again when it answers', async () => {
  const proxy = await startTcpProxy(postgres.url);
  const hung = await startService({ environment: { DATABASE_URL: proxy.url } });
  const timed = async (path: string, body?: object) => {
    const from = performance.now();
    const reply = await hung.send(body === undefined ? 'GET' : 'POST', path, body);
    return { ...reply, ms: performance.now() - from };
  };
  const isReady = async () => (await hung.send('GET', '/health/ready')).status === 200;
  try {
    await remember(hung, 'frozen', 'before');
    await waitUntil(isReady);
    proxy.freeze();
    const write = { scope_id: 'frozen', kind: 'fact', text: 'under way' };
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, () => timed('/v1/memory/remember', write)),
      ...Array.from({ length: 20 }, () => timed('/v1/scopes/frozen')),
    ]);
    for (const reply of replies) {
      expectError(reply, 503, 'database_unavailable');
      expect(reply.ms).toBeLessThan(underLoad(5_000));
    }
    const ready = await timed('/health/ready');
    expect(ready).toMatchObject({ status: 503, json: { status: 'not_ready' } });
    expect(ready.ms).toBeLessThan(underLoad(3_000));
    // While the server hangs, nobody waits.
    expect((await timed('/v1/memory/remember', write)).ms).toBeLessThan(underLoad(1_000));
    proxy.resume();
    await waitUntil(isReady);
    expect((await hung.send('POST', '/v1/memory/remember', write)).status).toBe(200);
  } finally {
    proxy.resume();
    await hung.stop();
    await proxy.stop();
  }
});
