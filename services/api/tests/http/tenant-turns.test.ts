import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId } from '@continuity/kernel/database';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { takeTurns } from '../../src/limits/turns.ts';

const heavy = 1;
const light = 2;

const context = new AsyncLocalStorage<unknown>();
const app = Fastify();
app.decorateRequest('tenantId', 0 as TenantId);
app.addHook('onRequest', (request, _reply, done) => {
  request.tenantId = Number(request.headers['tenant']) as TenantId;
  context.run(request.headers['name'], done);
});
takeTurns(app);
app.get('/', async () => {
  block(3);
  return { name: context.getStore() };
});

afterAll(() => app.close());

/** Blocks the event loop, as the analysis of a long query does. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a request waits for few of those that another tenant sent before it', async () => {
  const answered: string[] = [];
  const send = async (tenant: number, name: string) => {
    const { body } = await app.inject({ url: '/', headers: { tenant: String(tenant), name } });
    expect(JSON.parse(body)).toEqual({ name });
    answered.push(name);
  };
  const ofHeavy = Array.from({ length: 50 }, (_, index) => `heavy ${index}`);
  await Promise.all([...ofHeavy.map((name) => send(heavy, name)), send(light, 'light')]);
  expect(answered.indexOf('light')).toBeLessThan(5);
  expect(answered.filter((name) => name !== 'light')).toEqual(ofHeavy);
});
