import { afterAll, expect, test } from 'vitest';
import { handoffContent } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService();

afterAll(() => service.stop());

const create = (scope_id: string, content: unknown, key?: string) =>
  service.call('create_source', {
    params: { scope_id },
    body: { content },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });

test('spec 10 §1.8: a key creates one Source, and a repeat returns the first answer', async () => {
  const scope_id = freshScope();
  const first = await create(scope_id, { b: 1, a: 2 }, 'deploy-77');
  const again = await service.send(
    'POST',
    `/v1/scopes/${scope_id}/sources`,
    '{"source_type":"content","content":{"a":2.0,"b":1}}',
    { 'idempotency-key': 'deploy-77' },
  );
  expect(again.status).toBe(201);
  expect(again.text).toBe(JSON.stringify(first.body));
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(await capture(service, scope_id, 'next')).toBe(2);
});

test('spec 10 §1.8: another body under a key is 409 and writes nothing', async () => {
  const scope_id = freshScope();
  await create(scope_id, 'first', 'key');
  const other = await create(scope_id, 'second', 'key');
  expect(other.status).toBe(409);
  expect(other.error).toMatchObject({
    code: 'source_conflict',
    details: { reason: 'idempotency_key' },
  });
  expect((await create(freshScope(), 'second', 'key')).status).toBe(201);
  expect((await create(scope_id, 'second', 'KEY')).body.position).toBe(2);
  expect((await create(scope_id, 'second')).body.position).toBe(3);
});

test('spec 10 §1.8: concurrent uses of a key have one effect', async () => {
  const scope_id = freshScope();
  const replies = await race(30, () => create(scope_id, { n: 1 }, 'race'));
  expect(countStatuses(replies)).toEqual({ 201: 30 });
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  expect(await capture(service, scope_id, 'next')).toBe(2);
});

test('spec 10 §1.8: concurrent uses of a key create one Handoff, and all get the same answer', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'evidence');
  const replies = await race(12, () =>
    service.call('create_artifact', {
      params: { scope_id },
      headers: { 'Idempotency-Key': 'race' },
      body: { family: 'handoff', content: handoffContent() },
    }),
  );
  expect(countStatuses(replies)).toEqual({ 201: 12 });
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  expect(await capture(service, scope_id, 'next')).toBe(3);
});

test('spec 10 §1.8: one of several concurrent bodies under a key succeeds', async () => {
  const scope_id = freshScope();
  const replies = await race(20, (index) => create(scope_id, index, 'race'));
  expect(countStatuses(replies)).toEqual({ 201: 1, 409: 19 });
  for (const { error } of replies.filter((reply) => reply.status === 409)) {
    expect(error?.details).toEqual({ reason: 'idempotency_key' });
  }
  expect(await capture(service, scope_id, 'next')).toBe(2);
});

test.each([
  ['256 characters', 'k'.repeat(256), 201],
  ['257 characters', 'k'.repeat(257), 422],
  ['an empty key', '', 422],
  ['a space inside', 'a b', 422],
  ['Latin-1', 'caf\u00e9', 422],
])('spec 10 §1.8: a key of %s', async (_name, key, status) => {
  const reply = await service.send(
    'POST',
    '/v1/scopes/keys/sources',
    { content: 1 },
    { 'idempotency-key': key },
  );
  expect(reply.status).toBe(status);
  if (status === 422) expectIssues(reply, ['idempotency-key']);
});

test('spec 10 §11.3: a malformed key is rejected before the body', async () => {
  const reply = await service.send('POST', '/v1/scopes/keys/sources', {}, { 'idempotency-key': 'a b' });
  expectIssues(reply, ['idempotency-key']);
});
