import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { bearing, remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({
  environment: { CONCURRENT_REQUESTS_LIMIT: '2', AUTH_TOKENS_FILE: await writeTokens('busy', 'calm') },
});
const [busy, calm] = [clientOf(service.url, 'busy'), clientOf(service.url, 'calm')];

afterAll(() => service.stop());

const remember = (scope_id: string, signal?: AbortSignal) =>
  fetch(`${service.url}/v1/memory/remember`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token-of-busy-0123456789' },
    body: JSON.stringify({ scope_id, kind: 'fact', text: 'Something.' }),
    ...(signal && { signal }),
  });

const countLockWaits = async () =>
  (
    await query(
      service.databaseUrl,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  ).length;

test('a tenant has at most the limit of requests at the same time; ended and abandoned ones count no more', async () => {
  expect((await remember('known')).status).toBe(200);
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE memory_versions IN ACCESS EXCLUSIVE MODE');
  try {
    const leaving = new AbortController();
    const waiting = remember('waiting');
    const abandoned = remember('abandoned', leaving.signal).catch(() => undefined);
    await waitUntil(async () => (await countLockWaits()) === 2);
    const refused = await busy.send('GET', '/v1/capabilities');
    expectError(refused, 429, 'rate_limited');
    expect(refused.json).toMatchObject({ error: { details: { concurrent_limit: 2 } } });
    expect((await calm.send('GET', '/v1/capabilities')).status).toBe(200);
    expect((await busy.send('GET', '/health/live')).status).toBe(200);
    leaving.abort();
    await abandoned;
    await waitUntil(async () => (await busy.send('GET', '/v1/capabilities')).status === 200);
    await other.query('ROLLBACK');
    expect((await waiting).status).toBe(200);
  } finally {
    await other.end();
  }
  const replies = await Promise.all(Array.from({ length: 2 }, () => busy.send('GET', '/v1/capabilities')));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
});

test('Receivers that hang up while the service looks up their credential do not count', async () => {
  const { credential } = await remoteCalls(busy).enrolled('receivers');
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE remote_skill_targets IN ACCESS EXCLUSIVE MODE');
  try {
    const leaving = new AbortController();
    const requests = Array.from({ length: 2 }, () =>
      fetch(`${service.url}/v1/skill/remote/reconcile`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearing(credential) },
        body: JSON.stringify({ observations: [], receiver_version: '1.0.0' }),
        signal: leaving.signal,
      }).catch(() => undefined),
    );
    await waitUntil(async () => (await countLockWaits()) === 2);
    leaving.abort();
    await Promise.all(requests);
    // The service reads this request after it has seen the ends of the other connections.
    expect((await busy.send('GET', '/v1/capabilities')).status).toBe(200);
    await other.query('ROLLBACK');
    await waitUntil(async () => (await countLockWaits()) === 0);
  } finally {
    await other.end();
  }
  const replies = await Promise.all(Array.from({ length: 2 }, () => busy.send('GET', '/v1/capabilities')));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
});
