import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginLongAnswer } from '../support/long-answer.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const now = new Date('2026-11-20T09:30:00.000Z');
const manyScopes = 1_000;

let service: TestService;

beforeAll(async () => {
  service = await startService({ clock: { now: () => now } });
  const root = freshScope('root');
  await remember(service, root, 'Der Kran hebt zehn Tonnen.', '團隊規則');
  await query(
    service.databaseUrl,
    `WITH made AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT tenant_id, 'many-' || n, 'T', 'S' FROM scopes, generate_series(2, $2) n WHERE scope_id = $1
       RETURNING tenant_id, scope_key
     ), used AS (
       INSERT INTO model_usage_days
       SELECT tenant_id, scope_key, $3::date - scope_key::int % 30, 'memory_recall', 'embedding', 2, 10, NULL FROM made
     )
     INSERT INTO recall_days
     SELECT tenant_id, scope_key, $3::date - scope_key::int % 7, 'character:weighted/1', 4, 3, 2, 100, 4294967296 FROM made`,
    [root, manyScopes, now.toISOString()],
  );
});

afterAll(() => service.stop());

const ask = () => beginLongAnswer(service);

test('who asks at once gets the same long answer, whole, beside one who reads slowly and one who leaves', async () => {
  const [slow, leaving, ...fast] = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
  if (slow === undefined || leaving === undefined) throw new Error('Nobody answered.');
  await once(leaving, 'readable');
  leaving.destroy();
  const bodies = await Promise.all(fast.map((answer) => buffer(answer)));
  bodies.push(await buffer(slow));
  for (const { headers, statusCode } of [slow, ...fast]) {
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(Number(headers['content-length'])).toBe(bodies[0]?.length);
  }
  expect(bodies.map((body) => body.equals(bodies[0] ?? Buffer.alloc(0)))).toEqual([true, true, true, true]);
});

test('two requests in one packet get the long answer twice, the second after the first', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const body = '{"selection":{"mode":"all"},"period":"30d"}';
  const asked = (connection: string) =>
    `POST /v1/stats HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(asked('keep-alive') + asked('close'));
  const answers = String(await buffer(socket))
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1);
  const told = String(await buffer(await ask()));
  expect(answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4) === told)).toEqual([
    true,
    true,
  ]);
});

test('a long answer is JSON without a space, each Scope of it as it is when it is asked for alone', async () => {
  const body = String(await buffer(await ask()));
  const all = JSON.parse(body);
  expect(JSON.stringify(all)).toBe(body);
  expect(all.by_scope).toHaveLength(manyScopes);
  for (const place of [0, 1, 500, manyScopes - 1]) {
    const told = all.by_scope[place];
    const selection = { mode: 'exact' as const, scope_ids: [told.scope_id] };
    const alone = await service.call('get_stats', { body: { selection, period: '30d' } });
    expect(alone.body.by_scope).toEqual([told]);
  }
});
