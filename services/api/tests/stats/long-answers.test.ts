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
       SELECT tenant_id, scope_key, $3::date - (scope_key % 30)::int, 'memory_recall', 'embedding', 2, 10, NULL FROM made
     )
     INSERT INTO recall_days
     SELECT tenant_id, scope_key, $3::date - (scope_key % 7)::int, 'character:weighted/1', 4, 3, 2, 100, 4294967296 FROM made`,
    [root, manyScopes, now.toISOString()],
  );
});

afterAll(() => service.stop());

const ask = () => beginLongAnswer(service);

test('concurrent callers get the same complete answer, beside a slow reader and an aborted request', async () => {
  const [slow, aborted, ...fast] = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
  if (slow === undefined || aborted === undefined) throw new Error('There was no answer.');
  await once(aborted, 'readable');
  aborted.destroy();
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

test('two pipelined requests get two complete answers in order', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const body = '{"selection":{"mode":"all"},"period":"30d"}';
  const requestWith = (connection: string) =>
    `POST /v1/stats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(requestWith('keep-alive') + requestWith('close'));
  const answers = String(await buffer(socket))
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1);
  const single = String(await buffer(await ask()));
  expect(answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4) === single)).toEqual([
    true,
    true,
  ]);
});

test('a Scope has the same statistics in the answer for all Scopes as in its own', async () => {
  const all = JSON.parse(String(await buffer(await ask())));
  expect(all.by_scope).toHaveLength(manyScopes);
  for (const index of [0, 1, 500, manyScopes - 1]) {
    const listed = all.by_scope[index];
    const selection = { mode: 'exact' as const, scope_ids: [listed.scope_id] };
    const alone = await service.call('get_stats', { body: { selection, period: '30d' } });
    expect(alone.body.by_scope).toEqual([listed]);
  }
});
