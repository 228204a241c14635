import { afterAll, expect, test } from 'vitest';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

const bindingIn = (scope_id: string) => ({
  scope_id,
  binding_id: 'atlas-docs',
  connector_name: 'git',
  connector_version: '2.1.0',
});

type Binding = ReturnType<typeof bindingIn>;

const read = (binding: Binding) => service.send('POST', '/v1/connector-checkpoints/get', { binding });
const commit = (binding: Binding, expected: unknown, checkpoint: unknown) =>
  service.send('POST', '/v1/connector-checkpoints/commit', { binding, expected, checkpoint });

const conflict = (details: object) => ({
  status: 409,
  json: { error: { code: 'checkpoint_conflict', details } },
});

test('spec 10 §9: a checkpoint that was never committed is null, and reading writes nothing', async () => {
  const binding = bindingIn(freshScope());
  expect((await read(binding)).json).toEqual({ binding, checkpoint: null });
  expect((await service.call('get_scope', { params: { scope_id: binding.scope_id } })).status).toBe(404);
});

test('spec 10 §9: a commit creates the Scope, and each next commit names the previous checkpoint', async () => {
  const binding = bindingIn(freshScope());
  const first = await commit(binding, null, { commit: '4f1c2a', n: [1.0, { b: 1, a: 2 }] });
  expect(first).toMatchObject({ status: 200, json: { binding, checkpoint: { commit: '4f1c2a' } } });
  expect((await service.call('get_scope', { params: { scope_id: binding.scope_id } })).body.version).toBe(1);
  const respelled = { n: [1, { a: 2, b: 1 }], commit: '4f1c2a' };
  expect((await commit(binding, respelled, null)).status).toBe(200);
  expect((await read(binding)).json).toEqual({ binding, checkpoint: null });
  expect((await commit(binding, null, 'next')).status).toBe(200);
  expect((await commit(binding, 'next', 'next')).status).toBe(200);
  expect((await read(binding)).json).toEqual({ binding, checkpoint: 'next' });
});

test('spec 10 scenario 28: of two first commits one is 200, the other 409 with the stored value', async () => {
  for (let round = 0; round < 10; round += 1) {
    const binding = bindingIn(freshScope());
    const replies = await race(2, (index) => commit(binding, null, { index }));
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 1 });
    const { checkpoint } = (await read(binding)).json as { checkpoint: unknown };
    expect(replies.find(({ status }) => status === 409)).toMatchObject(
      conflict({ reason: 'stale', current: checkpoint }),
    );
  }
});

test('spec 10 §9: of concurrent commits from one checkpoint exactly one is 200', async () => {
  const binding = bindingIn(freshScope());
  await commit(binding, null, 0);
  for (let round = 1; round <= 5; round += 1) {
    const { checkpoint } = (await read(binding)).json as { checkpoint: unknown };
    const replies = await race(10, (index) => commit(binding, checkpoint, [round, index]));
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 9 });
  }
});

test('spec 10 §9: a stale commit changes nothing and creates no Scope', async () => {
  const binding = bindingIn(freshScope());
  expect(await commit(binding, 'something', 'else')).toMatchObject(
    conflict({ reason: 'stale', current: null }),
  );
  expect((await service.call('get_scope', { params: { scope_id: binding.scope_id } })).status).toBe(404);
});

test('spec 10 scenario 28: another connector_name or connector_version is 409 on get and on commit', async () => {
  const binding = bindingIn(freshScope());
  await commit(binding, null, 'here');
  const current = { connector_name: 'git', connector_version: '2.1.0' };
  for (const other of [
    { ...binding, connector_version: '2.1.1' },
    { ...binding, connector_name: 'svn' },
  ]) {
    expect(await read(other)).toMatchObject(conflict({ reason: 'binding', current }));
    expect(await commit(other, 'here', 'there')).toMatchObject(conflict({ reason: 'binding', current }));
  }
  expect((await read({ ...binding, binding_id: 'another' })).json).toMatchObject({ checkpoint: null });
  expect((await read(binding)).json).toMatchObject({ checkpoint: 'here' });
});

test('spec 10 scenario 28: both keys of a commit are required, and null is a value', async () => {
  const binding = bindingIn(freshScope());
  const send = (body: object) => service.send('POST', '/v1/connector-checkpoints/commit', body);
  expectIssues(await send({ binding, checkpoint: 1 }), ['expected']);
  expectIssues(await send({ binding, expected: null }), ['checkpoint']);
  expect((await send({ binding, expected: null, checkpoint: null })).status).toBe(200);
});

test('spec 10 §11.7: a value over 65,536 bytes is 422', async () => {
  const binding = bindingIn(freshScope());
  const most = 'x'.repeat(65_534);
  expect((await commit(binding, null, most)).status).toBe(200);
  expectIssues(await commit(binding, most, `${most}x`), ['checkpoint']);
  expectIssues(await commit(binding, `${most}x`, `${most}é`), ['expected', 'checkpoint']);
  expect((await commit(binding, most, '\0')).status).toBe(422);
  for (const change of [{ binding_id: 'x'.repeat(257) }, { connector_name: '' }, { scope_id: ' ' }]) {
    expect((await read({ ...binding, ...change })).status).toBe(422);
  }
});
