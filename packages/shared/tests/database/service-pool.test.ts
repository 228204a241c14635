import type { ServicePool, TenantId } from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import { runAsTenant } from '@continuity/kernel/fairness';
import { waitUntil } from '@continuity/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { openOwnDatabase } from '../support/database.ts';

const { database } = await openOwnDatabase('service-pool', 2);
const { pool, prismaPool, prisma } = database;

const heavy = 1 as TenantId;
const light = 2 as TenantId;

afterEach(() => {
  vi.useRealTimers();
});

/** Notes the order in which works end. */
function noteOrder() {
  const order: string[] = [];
  return {
    order,
    note: (name: string, work: () => Promise<unknown>) => work().then(() => void order.push(name)),
  };
}

const works: [string, ServicePool, () => Promise<unknown>][] = [
  ['statements', pool, () => pool.query('SELECT 1')],
  ['transactions', pool, () => database.transaction(async () => undefined)],
  ['Prisma queries', prismaPool, () => prisma.tenant.findFirst({ where: { tenantId: light } })],
  ['Prisma transactions', prismaPool, () => database.prismaTransaction(async () => undefined)],
];

test.each(works)('%s: the free connection goes to the tenant whose turn it is', async (_name, used, work) => {
  const held = await used.connect();
  const { order, note } = noteOrder();
  const ofHeavy = Array.from({ length: 50 }, (_, index) =>
    runAsTenant(heavy, () => note(`heavy ${index}`, work)),
  );
  await waitUntil(() => used.queuedCount === 50);
  const others = [runAsTenant(light, () => note('light', work)), note('own', work)];
  await waitUntil(() => used.queuedCount === 52);
  held.release();
  await Promise.all([...ofHeavy, ...others]);
  expect(order.slice(0, 3)).toEqual(['heavy 0', 'light', 'own']);
  expect(order.filter((name) => name.startsWith('heavy'))).toEqual(
    ofHeavy.map((_, index) => `heavy ${index}`),
  );
  expect(used.queuedCount).toBe(0);
});

test('work that waits for a connection for 10 s fails as a database that does not answer', async () => {
  const held = await pool.connect();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failure = pool.query('SELECT 1').catch((error: unknown) => error);
  vi.advanceTimersByTime(9_999);
  expect(pool.queuedCount).toBe(1);
  vi.advanceTimersByTime(1);
  expect(pool.queuedCount).toBe(0);
  expect(fromDatabaseError(await failure)?.code).toBe('database_unavailable');
  vi.useRealTimers();
  held.release();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('of 10,000 requests of a tenant that wait, the next one fails at once, and those of others do not', async () => {
  const held = await pool.connect();
  const waiting = Array.from({ length: 10_000 }, () => runAsTenant(heavy, () => pool.connect()));
  const outcomes = Promise.allSettled(waiting);
  const failure = runAsTenant(heavy, () => pool.connect()).catch((error: unknown) => error);
  expect(fromDatabaseError(await failure)?.code).toBe('database_unavailable');
  const ofLight = runAsTenant(light, () => pool.connect()).catch((error: unknown) => error);
  expect(pool.queuedCount).toBe(10_001);
  pool.failAll(Object.assign(new Error('The server hangs.'), { code: 'ETIMEDOUT' }));
  held.release(true);
  expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
  expect(fromDatabaseError(await ofLight)?.code).toBe('database_unavailable');
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a connection that breaks or cannot be opened leaves its place to the next request', async () => {
  const held = await pool.connect();
  const next = pool.query('SELECT 1 AS one');
  held.release(new Error('broken'));
  expect((await next).rows).toEqual([{ one: 1 }]);
  const { connectionString } = pool.options;
  await pool.connect().then((client) => client.release(true));
  pool.options.connectionString = 'postgres://localhost:1/none';
  const failures = await Promise.allSettled(Array.from({ length: 20 }, () => pool.query('SELECT 1')));
  expect(failures.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
  pool.options.connectionString = connectionString;
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
