import type { CallInput } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();

afterAll(() => service.stop());

type CaptureBody = NonNullable<CallInput<'capture_content_source'>['body']>;

const send = (body: CaptureBody) => service.call('capture_content_source', { body });
const emoji = '\u{1F9E0}';

test('spec 10 scenario 8: a first capture makes the Scope of any 256 code points', async () => {
  const scope_id = emoji.repeat(256);
  expect((await send({ scope_id, source_id: 'one', content: 'x' })).body).toEqual({
    status: 'accepted',
    source: { name: 'content', source_id: 'one' },
    position: 1,
  });
  const scopes = await query(
    service.databaseUrl,
    'SELECT title, summary, version FROM scopes WHERE scope_id = $1',
    [scope_id],
  );
  expect(scopes).toEqual([{ title: scope_id, summary: 'Created on first write.', version: 1 }]);
});

test.each([
  ['257 code points', 'x'.repeat(257)],
  ['257 emoji', emoji.repeat(257)],
  ['nothing', ''],
  ['blanks', '  '],
  ['Unicode white space', '\u3000\u0085\uFEFF'],
])('spec 10 scenario 8: a Scope id of %s is 422', async (_name, scope_id) => {
  const body = { scope_id, source_id: 'one', content: 'x' };
  expectIssues(await service.send('POST', '/v1/sources/content', body), ['scope_id']);
});

test('spec 10 §1.5: ids are compared code point by code point', async () => {
  const name = freshScope();
  const ids = [name, name.toUpperCase(), ` ${name}`, `${name} `, `${name}\u00e9`, `${name}e\u0301`];
  for (const scope_id of ids) {
    for (const source_id of ['a', 'A', ' a', 'caf\u00e9', 'cafe\u0301']) {
      await capture(service, scope_id, source_id, `${scope_id} ${source_id}`);
    }
  }
  for (const scope_id of ids) {
    expect((await readSource(service, scope_id, 'cafe\u0301')).body).toMatchObject({
      scope_id,
      source_id: 'cafe\u0301',
      content: `${scope_id} cafe\u0301`,
      position: 5,
    });
  }
});

test('spec 10 scenario 22: 40 concurrent equal captures are one row and one position', async () => {
  const scope_id = freshScope();
  const body = { scope_id, source_id: 'same', content: 'equal', metadata: { b: 1, a: [1.0, 'x'] } };
  const replies = await race(40, () => send(body));
  expect(countStatuses(replies)).toEqual({ 202: 40 });
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  expect(await capture(service, scope_id, 'next')).toBe(2);
});

test('spec 10 scenario 22: of two contents under one id one is kept', async () => {
  const scope_id = freshScope();
  const replies = await race(2, (index) => send({ scope_id, source_id: 'one', content: `version ${index}` }));
  expect(countStatuses(replies)).toEqual({ 202: 1, 409: 1 });
  const { body: kept } = await readSource(service, scope_id, 'one');
  expect(replies.find((reply) => reply.status === 409)?.error).toMatchObject({
    code: 'source_conflict',
    details: {
      current: {
        source: { name: 'content', source_id: 'one' },
        position: 1,
        content_digest: kept.content_digest,
      },
    },
  });
  expect(await capture(service, scope_id, 'next')).toBe(2);
});

test.each([
  ['200,000 characters', 'x'.repeat(200_000), 202],
  ['200,000 emoji', emoji.repeat(200_000), 202],
  ['200,001 characters', 'x'.repeat(200_001), 422],
  ['nothing', '', 422],
  ['white space', '\n\u3000', 422],
])('spec 10 scenario 22: content of %s', async (_name, content, status) => {
  const scope_id = freshScope();
  expect((await send({ scope_id, source_id: 'one', content })).status).toBe(status);
  if (status === 202) expect((await readSource(service, scope_id, 'one')).body.content).toBe(content);
});

test('spec 10 §8: content is kept exactly', async () => {
  const scope_id = freshScope();
  const content = ' \uFEFF line\r\nline\u2028e\u0301 \u00e9 \u202e\t"\\/ \u007f ';
  await capture(service, scope_id, 'exact', content);
  expect((await readSource(service, scope_id, 'exact')).body.content).toBe(content);
});

test('spec 10 §8: null, absent and {} metadata are equal, objects compare as canonical JSON', async () => {
  const scope_id = freshScope();
  const statusOf = async (source_id: string, metadata?: Record<string, unknown> | null) =>
    (await send({ scope_id, source_id, content: 'x', ...(metadata !== undefined && { metadata }) })).status;
  expect([await statusOf('none'), await statusOf('none', null), await statusOf('none', {})]).toEqual([
    202, 202, 202,
  ]);
  expect(await statusOf('none', { a: null })).toBe(409);
  expect(await statusOf('some', { a: 1, b: { c: 2, d: '\u00e9' } })).toBe(202);
  expect(await statusOf('some', { b: { d: '\u00e9', c: 2 }, a: 1.0 })).toBe(202);
  for (const other of [null, { a: 1, b: { c: 2, d: 'e\u0301' } }, { a: '1', b: { c: 2, d: '\u00e9' } }]) {
    expect(await statusOf('some', other)).toBe(409);
  }
});

test('spec 10 §8: metadata has at most 65,536 bytes of canonical JSON', async () => {
  const scope_id = freshScope();
  // `{"note":"` and `"}` are 11 bytes.
  const sized = (bytes: number) => ({ note: `x${'é'.repeat((bytes - 12) / 2)}` });
  expect(Buffer.byteLength(JSON.stringify(sized(65_536)))).toBe(65_536);
  expect((await send({ scope_id, source_id: 'fits', content: 'x', metadata: sized(65_536) })).status).toBe(
    202,
  );
  const over = { note: `${sized(65_536).note}x` };
  const body = { scope_id, source_id: 'over', content: 'x', metadata: over };
  expectIssues(await service.send('POST', '/v1/sources/content', body), ['metadata']);
  for (const metadata of [[], 'text', 1, true]) {
    const reply = await service.send('POST', '/v1/sources/content', { ...body, metadata });
    expectIssues(reply, ['metadata']);
  }
});
