import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { ask } from './wire/ask.ts';

/** Defects that fuzzing has found, each as the one request that reproduces it. */
let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test('spec 10 §1.6: a path with an empty segment is unknown, whatever its body and media type are', async () => {
  const path = '/v1/scopes//sources';
  const replies = [
    await service.send('POST', path, '{"content":'),
    await service.send('POST', path, 'x', { 'content-type': 'text/plain' }),
    await service.send('POST', path, { content: 1 }),
  ];
  expect(
    replies.map(({ status, json }) => [status, (json as { error: { code: string } }).error.code]),
  ).toEqual([
    [404, 'not_found'],
    [404, 'not_found'],
    [404, 'not_found'],
  ]);
});

test('spec 10 §1.6: the Location of a Source whose Scope is called `..` stays below that Scope', async () => {
  const { headers } = await ask(service.url, 'POST', ['v1', 'scopes', '..', 'sources'], {
    body: { content: 1 },
  });
  expect(headers.get('location')).toMatch(/^\/v1\/scopes\/%2E%2E\/sources\/content\/[0-9a-f-]{36}$/);
});

test('spec 10 §1.2: a Replace of what is not there is judged by its body first, even by none', async () => {
  const path = '/v1/scopes/some/artifacts/skill/handoff';
  const skill = { name: 'a', description: 'Does a.', instructions: 'Do a.', validation: [] };
  const bodies = [undefined, 'null', '[]', '{}', { content: {} }, { content: skill }];
  const replies = await Promise.all(
    bodies.map((body) =>
      service.send('PUT', path, body, { 'content-type': 'application/json', 'if-match': '*' }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 404]);
});
