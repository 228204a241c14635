import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { expectIssues, freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, nest, readSource } from '../support/sources.ts';

const service = await startService();

afterAll(() => service.stop());

const path = (scope_id: string) => `/v1/scopes/${encodeURIComponent(scope_id)}/sources`;

test.each<[string, string]>([
  ['null', '{"content":null}'],
  ['an empty string', '{"content":""}'],
  ['false', '{"content":false}'],
  ['zero', '{"content":-0.0}'],
  ['an object with dangerous keys', '{"content":{"__proto__":{"x":1},"constructor":2,"toString":null}}'],
  ['a body of 64 levels', JSON.stringify({ content: nest('deep', 62) })],
  ['1,000 emoji', JSON.stringify({ content: '\u{1F9E0}'.repeat(1000) })],
  [
    'numbers in odd spellings',
    '{"content":[1.0,1e2,0.1e1,1E-7,123456789012345678901,5e-324,1.7976931348623157e308]}',
  ],
  ['escapes', '{"content":"\\u0001\\ud83e\\udde0\\/\\u2028"}'],
])('spec 10 scenario 23: content of %s reads back equal', async (_name, body) => {
  const scope_id = freshScope();
  const created = await service.send('POST', path(scope_id), body);
  expect(created.status).toBe(201);
  const location = created.headers.get('location') ?? '';
  const read = await service.send('GET', location);
  expect(read.status).toBe(200);
  expect(read.text).toBe(created.text);
  const sent = JSON.parse(body) as { content: unknown };
  expect((read.json as { content: unknown }).content).toEqual(sent.content === 0 ? 0 : sent.content);
});

test.each<[string, string, string[]]>([
  ['no content', '{}', ['content']],
  ['a body of 65 levels', JSON.stringify({ content: nest(1, 64) }), ['']],
  ['a NUL', '{"content":{"a":["\\u0000"]}}', ['content.a[0]']],
  ['a lone high surrogate', '{"content":"\\ud800"}', ['content']],
  ['a lone low surrogate in a key', '{"content":{"\\udfff":1}}', ['content']],
  ['a number beyond the double range', '{"content":{"big":1e999}}', ['content.big']],
  ['another source_type', '{"content":1,"source_type":"git-file"}', ['source_type']],
  ['an unknown field', '{"content":1,"source_id":"mine"}', ['source_id']],
])('spec 10 scenario 23: %s is 422', async (_name, body, paths) => {
  expectIssues(await service.send('POST', path('refused'), body), paths);
});

test('spec 10 §8: content has at most 1,048,576 bytes of canonical JSON', async () => {
  const scope_id = freshScope();
  const create = (content: unknown) => service.send('POST', path(scope_id), { content });
  expect((await create('x'.repeat(1_048_574))).status).toBe(201);
  expectIssues(await create('x'.repeat(1_048_575)), ['content']);
  expectIssues(await create('é'.repeat(524_288)), ['content']);
  // Spelled longer than its canonical form.
  expect((await service.send('POST', path(scope_id), `{"content":[${' '.repeat(1_100_000)}]}`)).status).toBe(
    201,
  );
});

test('spec 10 §8: key order is not kept, and equal values have equal digests', async () => {
  const scope_id = freshScope();
  const create = async (content: string) => {
    const { json } = await service.send('POST', path(scope_id), `{"content":${content}}`);
    return json as { content: unknown; content_digest: string; position: number; source_id: string };
  };
  const first = await create('{"b":1.0,"a":"\\u00e9","10":0,"9":0}');
  const second = await create('{"9":0,"10":0,"a":"é","b":1}');
  expect(JSON.stringify(second.content)).toBe(JSON.stringify(first.content));
  expect(second.content_digest).toBe(first.content_digest);
  expect([first.position, second.position]).toEqual([1, 2]);
  expect(second.source_id > first.source_id).toBe(true);
});

test('spec 10 §8: content is returned as canonical JSON, so that its text has the digest', async () => {
  const scope_id = freshScope();
  const sent = '{"content":{"9":1,"b":{"2":-0,"-":1.50,"1":[{}]},"10":"\\u00e9"}}';
  const canonical = '{"10":"é","9":1,"b":{"-":1.5,"1":[{}],"2":0}}';
  const digest = `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
  const created = await service.send('POST', path(scope_id), sent);
  expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(created.text).toContain(
    `,"content":${canonical},"position":1,"content_digest":"${digest}","occurred_at":null}`,
  );
  const read = await service.send('GET', created.headers.get('location') ?? '');
  expect(read.text).toBe(created.text);
  expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('spec 10 §11.4: a created and a captured Source share one identity space', async () => {
  const scope_id = freshScope();
  const { body, headers } = await service.call('create_source', {
    params: { scope_id },
    body: { content: 'evidence' },
  });
  expect(headers.get('location')).toBe(`${path(scope_id)}/content/${body.source_id}`);
  expect(await capture(service, scope_id, body.source_id, 'evidence')).toBe(1);
  const other = await service.call('capture_content_source', {
    body: { scope_id, source_id: body.source_id, content: 'other' },
  });
  expect(other.error?.code).toBe('source_conflict');
  expect((await readSource(service, scope_id, body.source_id)).body).toEqual(body);
});

test('spec 10 §8: get_source of an unknown type is 422, of an unknown id 404', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'one');
  for (const type of ['git-file', 'Content', ' content', 'service.x']) {
    const target = `${path(scope_id)}/${encodeURIComponent(type)}/one`;
    expectIssues(await service.send('GET', target), ['source_type']);
  }
  for (const type of ['content', 'skill-usage', 'skill-package-upload', 'external-skill-snapshot']) {
    const { status, error } = await readSource(service, scope_id, 'two', type);
    expect({ status, code: error?.code }).toEqual({ status: 404, code: 'source_not_found' });
  }
  expect((await readSource(service, freshScope(), 'one')).error?.code).toBe('source_not_found');
});
