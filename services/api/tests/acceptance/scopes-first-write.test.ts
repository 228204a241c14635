import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const capture = (scope_id: string, source_id = 's') =>
  service.call('capture_content_source', { body: { scope_id, source_id, content: 'c' } });

describe('spec 10 scenario 8: the first data write makes the descriptor', () => {
  test('of 256 emoji: the id is the title', async () => {
    const scope_id = '\u{1F9E0}'.repeat(256);
    expect((await capture(scope_id)).status).toBe(202);
    const { body } = await scope.get(scope_id);
    expect(body).toEqual({
      scope_id,
      title: scope_id,
      summary: 'Created on first write.',
      parent_scope_id: null,
      context_references: [],
      external_references: [],
      version: 1,
    });
    const read = await service.send('GET', `/v1/scopes/${encodeURIComponent(scope_id)}`);
    expect(read.json).toEqual(body);
  });

  test('of 257 code points, of none and of white space only: 422, in the body and in the path', async () => {
    for (const id of ['\u{1F9E0}'.repeat(257), 'x'.repeat(257), '', '  ', '\u0085\ufeff']) {
      const body = { scope_id: id, source_id: 's', content: 'c' };
      expect((await service.send('POST', '/v1/sources/content', body)).status).toBe(422);
      const read = await service.send('GET', `/v1/scopes/${encodeURIComponent(id)}`);
      expect([id, read.status]).toEqual([id, id === '' ? 404 : 422]);
      expect((await service.send('PUT', '/v1/scopes/default', { scope_id: id })).status).toBe(422);
    }
  });

  test('x%2Fy and x/y in a path never reach the same Scope', async () => {
    await capture('x/y');
    await capture('x%2Fy');
    expect((await service.send('GET', '/v1/scopes/x%2Fy')).json).toMatchObject({ scope_id: 'x/y' });
    expect((await service.send('GET', '/v1/scopes/x%252Fy')).json).toMatchObject({ scope_id: 'x%2Fy' });
    expect((await service.send('GET', '/v1/scopes/x/y')).json).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test('20 concurrent writers all succeed and create one descriptor', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => capture('crowd', `s${index}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect((await scope.get('crowd')).body.version).toBe(1);
    await capture('crowd', 'later');
    expect((await scope.get('crowd')).body.version).toBe(1);
  });
});

test('spec 10 §1.7: operations that organize Scopes create no unknown Scope', async () => {
  const unknown = 'never written';
  const known = await scope.made();
  const key = { integration: 'i', kind: 'k', external_id: 'e' };
  const replies = [
    await scope.get(unknown),
    await scope.update(unknown, 1),
    await scope.update(known, 1, { parent_scope_id: unknown }),
    await scope.update(known, 1, { context_references: [unknown] }),
    await scope.create({ parent_scope_id: unknown }),
    await service.call('set_default_scope', { body: { scope_id: unknown } }),
    await service.call('set_scope_binding', { body: { key, scope_id: unknown } }),
    await service.call('resolve_scope_binding', { body: { explicit_scope_id: unknown } }),
    await scope.exact(unknown),
  ];
  for (const reply of replies) {
    expect([reply.status, reply.error?.details]).toEqual([404, { scope_id: unknown }]);
  }
  expect((await scope.list()).body.items.map(({ scope_id }) => scope_id)).not.toContain(unknown);
});
