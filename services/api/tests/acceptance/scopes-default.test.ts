import { isServerId } from '@continuity/kernel/text';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const readDefault = () => service.call('get_default_scope');
const setDefault = (scope_id: string) => service.call('set_default_scope', { body: { scope_id } });

describe('the default Scope', () => {
  test('is made with the tenant, an ordinary Scope', async () => {
    const { body } = await readDefault();
    expect(isServerId(body.scope_id)).toBe(true);
    expect(body).toEqual({
      scope_id: body.scope_id,
      title: 'Default',
      summary: 'Default context',
      parent_scope_id: null,
      context_references: [],
      external_references: [],
      version: 1,
    });
    expect((await scope.get(body.scope_id)).body).toEqual(body);
    expect((await scope.update(body.scope_id, 1)).body.version).toBe(2);
    expect((await readDefault()).body.version).toBe(2);
  });

  test('is moved by its pointer alone, again and again', async () => {
    const [parent, id] = [await scope.made(), await scope.captured('moved to')];
    const before = (await scope.update(id, 1, { parent_scope_id: parent })).body;
    for (let time = 0; time < 2; time += 1) expect((await setDefault(id)).body).toEqual(before);
    expect((await readDefault()).body).toEqual(before);
    expect((await service.call('resolve_scope_binding', { body: {} })).body).toEqual(before);
  });

  test('all concurrent moves succeed, and one of them is stored', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => scope.made()));
    const replies = await Promise.all(ids.map((id) => setDefault(id)));
    expect(replies.map(({ body }) => body.scope_id)).toEqual(ids);
    expect(ids).toContain((await readDefault()).body.scope_id);
  });

  test('cannot be moved to an unknown Scope, and makes none', async () => {
    const before = (await readDefault()).body;
    const reply = await setDefault('nowhere');
    expect([reply.status, reply.error?.code, reply.error?.details]).toEqual([
      404,
      'scope_not_found',
      { scope_id: 'nowhere' },
    ]);
    expect((await readDefault()).body).toEqual(before);
    for (const body of [{}, { scope_id: null }, { scope_id: ' ' }, { scope_id: 'x', title: 'T' }]) {
      expect((await service.send('PUT', '/v1/scopes/default', body)).status).toBe(422);
    }
  });

  test('is 404 if none is set, and the read creates none', async () => {
    const { scope_id } = (await readDefault()).body;
    await query(service.databaseUrl, 'UPDATE tenants SET default_scope_key = NULL');
    for (const reply of [await readDefault(), await service.call('resolve_scope_binding', { body: {} })]) {
      expect([reply.status, reply.error?.code]).toEqual([404, 'scope_not_found']);
    }
    expect((await readDefault()).status).toBe(404);
    expect((await setDefault(scope_id)).status).toBe(200);
  });
});

describe('spec 10 §4, §11.1: literal paths win, as written only', () => {
  test('a Scope whose id is `default` is read with an exact selection, or by an escape', async () => {
    await scope.captured('default');
    const [own] = (await scope.exact('default')).body.items;
    expect(own).toMatchObject({ scope_id: 'default', version: 1 });
    expect((await readDefault()).body.scope_id).not.toBe('default');
    for (const path of ['/v1/scopes/%64efault', '/v1/scopes/defaul%74', '/v1/scopes/%64%65%66%61%75%6C%74']) {
      expect((await service.send('GET', path)).json).toEqual(own);
    }
    const update = { title: 'T', summary: 'S', expected_version: 1 };
    expect((await service.send('PUT', '/v1/scopes/default', update)).status).toBe(422);
    expect((await service.send('PUT', '/v1/scopes/%64efault', update)).json).toMatchObject({
      scope_id: 'default',
      version: 2,
    });
    expect((await service.send('GET', '/v1/scopes/Default')).status).toBe(404);
  });

  test('its longer paths, and those of `selection`, work like those of other ids', async () => {
    for (const id of ['default', 'selection', 'resolve']) {
      const created = await service.call('create_source', {
        params: { scope_id: id },
        body: { content: `of ${id}` },
      });
      const path = created.headers.get('location') ?? '';
      expect((await service.send('GET', path)).json).toMatchObject({ scope_id: id, content: `of ${id}` });
    }
    expect((await scope.get('selection')).body.scope_id).toBe('selection');
    expect((await scope.get('resolve')).body.scope_id).toBe('resolve');
  });

  test('another method is 405 with the methods of the literal path', async () => {
    const cases = [
      ['DELETE', '/v1/scopes/default', 'GET, HEAD, PUT'],
      ['POST', '/v1/scopes/default', 'GET, HEAD, PUT'],
      ['POST', '/v1/scopes/%64efault', 'GET, HEAD, PUT'],
      ['GET', '/v1/scopes/selection/resolve', 'POST'],
      ['PUT', '/v1/scopes/selection/resolve', 'POST'],
      ['PUT', '/v1/scopes', 'GET, HEAD, POST'],
      ['GET', '/v1/scope-bindings', 'PUT'],
      ['GET', '/v1/scope-bindings/clear', 'POST'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const reply = await service.send(method, path);
      expect([path, reply.status, reply.headers.get('allow')]).toEqual([path, 405, allow]);
    }
    for (const path of [
      '/v1/scopes/',
      '/v1/scopes/x/',
      '/v1/scopes/x/resolve',
      '/v1/scopes/selection%2Fresolve/',
    ]) {
      expect((await service.send('POST', path, {})).json).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});
