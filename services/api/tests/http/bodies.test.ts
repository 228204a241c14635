import { afterAll, expect, test } from 'vitest';
import { expectError, withLength } from '../support/envelope.ts';
import { expectIssues } from '../support/memory.ts';
import { rawExchange, rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import { nest } from '../support/sources.ts';

const service = await startService();

afterAll(() => service.stop());

const remember = '/v1/memory/remember';
const valid = { scope_id: 's', kind: 'fact', text: 'x' };

test.each<[string, string, string[]]>([
  ['nothing', '', ['']],
  ['white space', ' \n', ['']],
  ['half an object', '{"scope_id":"s"', ['']],
  ['two values', '{}{}', ['']],
  ['a trailing comma', '{"scope_id":"s",}', ['']],
  ['single quotes', "{'scope_id':'s'}", ['']],
  ['NaN', '{"scope_id":NaN}', ['']],
  ['a raw NUL inside a string', '{"scope_id":"a\0b"}', ['']],
  ['null', 'null', ['']],
  ['an array', '[]', ['']],
  ['a string', '"text"', ['']],
  ['100,000 open arrays', '['.repeat(100_000), ['']],
  ['100,000 nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, ['']],
])('a body of %s is 422', async (_name, body, paths) => {
  const reply = await service.send('POST', remember, body);
  expectError(reply, 422, 'invalid_request');
  expectIssues(reply, paths);
});

test('a byte order mark before the body is passed over', async () => {
  const reply = await service.send('POST', remember, `\uFEFF${JSON.stringify(valid)}`);
  expect(reply.status).toBe(200);
});

test.each<[string, number[]]>([
  ['a lone continuation byte', [0x80]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['a surrogate as bytes', [0xed, 0xa0, 0x80]],
  ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['half a character', [0xe8, 0xa8]],
])('a body with %s is 422', async (_name, bytes) => {
  const body = Buffer.concat([Buffer.from('{"scope_id":"'), Buffer.from(bytes), Buffer.from('"}')]);
  const head = [`POST ${remember} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...withLength(body)];
  const sent = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  const reply = await rawExchange(service.url, sent);
  expectError(reply, 422, 'invalid_request');
  expectIssues(reply, ['']);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['a boolean for an integer', { expected_revision: true }, ['expected_revision']],
  ['a numeric string for an integer', { expected_revision: '1' }, ['expected_revision']],
  ['a fraction for an integer', { expected_revision: 1.5 }, ['expected_revision']],
  ['an integer above 2^53 - 1', { expected_revision: 2 ** 53 }, ['expected_revision']],
  ['a number for a string', { text: 1 }, ['text']],
  ['an array for a string', { scope_id: ['s'] }, ['scope_id']],
  ['null for a string', { kind: null }, ['kind']],
  ['an unknown field', { entries: [] }, ['entries']],
  ['a field in another case', { Text: 'x' }, ['Text']],
  ['a field named constructor', { constructor: {} }, ['constructor']],
])('%s is 422', async (_name, change, paths) => {
  expectIssues(await service.send('POST', remember, { ...valid, ...change }), paths);
});

test('a field named __proto__ is an unknown field', async () => {
  const body = '{"scope_id":"s","kind":"fact","text":"x","__proto__":{"admin":true}}';
  expectIssues(await service.send('POST', remember, body), ['__proto__']);
});

test('every issue is listed, with its path', async () => {
  const citation = {
    memory_ref: { family: 'memory', artifact_id: 'a b', revision: 0, extra: 1 },
    entry_id: '',
    entry_version_id: 7,
  };
  const body = { scope_id: ' ', citation, kind: 'k'.repeat(129), reason: 5, unknown: null };
  expectIssues(await service.send('POST', '/v1/memory/entries/revise', body), [
    'scope_id',
    'citation.memory_ref.artifact_id',
    'citation.memory_ref.revision',
    'citation.memory_ref.extra',
    'citation.entry_id',
    'citation.entry_version_id',
    'kind',
    'text',
    'reason',
    'unknown',
  ]);
});

test('of very many issues the first 32 are listed', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, 1]));
  const { json } = await service.send('POST', remember, { ...valid, ...unknown });
  const { error } = json as { error: { details: { issues: unknown[] } } };
  expect(error.details.issues).toHaveLength(32);
});

test.each([
  ['values that nothing may hold', (name: string) => `{"${name}":[${'1e999,'.repeat(99)}1e999]}`],
  ['an unknown field', (name: string) => `{"${name}":1}`],
])('a field name of megabytes is not repeated for %s', async (_what, bodyOf) => {
  const reply = await service.send('POST', '/v1/sources/content', bodyOf('k'.repeat(4_000_000)));
  expectError(reply, 422, 'invalid_request');
  expect(reply.text.length).toBeLessThan(200_000);
});

test('issues of normalized values are listed together', async () => {
  // NFC writes U+0958 as two characters, so the kind is too long only afterwards.
  const body = { ...valid, kind: '\u0958'.repeat(100), text: 'x'.repeat(8193), reason: ' '.repeat(10) };
  expectIssues(await service.send('POST', remember, body), ['kind', 'text']);
});

test('what no value may hold is found anywhere, and all of it', async () => {
  const body = '{"scope_id":"\\u0000","content":[1e999,{"a":"\\udc00","b\\u0000":1}],"source_id":"ok"}';
  expectIssues(await service.send('POST', '/v1/sources/content', body), [
    'scope_id',
    'content[0]',
    'content[1].a',
    'content[1]',
  ]);
});

test('64 levels are judged by their shape, 65 are too deep', async () => {
  const at = (levels: number) => service.send('POST', remember, { ...valid, text: nest('x', levels - 1) });
  expectIssues(await at(64), ['text']);
  const tooDeep = await at(65);
  expectIssues(tooDeep, ['']);
  expect(tooDeep.text).toContain('is nested deeper than 64 levels');
});

test('20,000 values are judged by their shape, one more is too many', async () => {
  const of = (values: number) => service.send('POST', remember, `[${'1,'.repeat(values - 2)}1]`);
  expect((await of(20_000)).text).not.toContain('JSON values');
  const tooMany = await of(20_001);
  expectIssues(tooMany, ['']);
  expect(tooMany.text).toContain('has more than 20000 JSON values');
});

test('a Source takes content of more than 100,000 values', async () => {
  const reply = await service.send('POST', '/v1/scopes/s/sources', `{"content":[${'1,'.repeat(500_000)}1]}`);
  expect(reply.status).toBe(201);
});

test('a GET passes over a body', async () => {
  const reply = await rawRequest(service.url, 'GET /v1/capabilities HTTP/1.1', withLength('{}'), '{}');
  expect(reply.status).toBe(200);
});
