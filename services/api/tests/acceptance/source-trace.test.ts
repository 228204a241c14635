import { createHash } from 'node:crypto';
import type { CallInput } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope, retire } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });

afterAll(() => service.stop());

const flush = async (scope_id: string) => (await service.call('flush_memory', { body: { scope_id } })).body;
const list = async (scope_id: string, asked: CallInput<'list_sources'>['query'] = {}) =>
  (await service.call('list_sources', { params: { scope_id }, query: asked })).body;
const trace = async (scope_id: string, source_id: string) =>
  (await service.call('trace_source', { body: { scope_id, source: { name: 'content', source_id } } })).body;
const positions = (page: Awaited<ReturnType<typeof list>>) => page.items.map(({ position }) => position);

const kafka = 'We decided to use Kafka for events.';
const postgres = 'We decided to use Postgres 16 for data.';
const redis = 'Requests must never wait for Redis.';

test('spec 60 scenario 20: a trace has exactly the entries of its Source, then and now', async () => {
  const scope_id = freshScope();
  const metadata = { branch: 'main', nested: { url: 'https://example.org/<b>' } };
  await service.call('capture_content_source', {
    body: { scope_id, source_id: 'one', content: `${kafka}\n${postgres}`, metadata },
  });
  await capture(service, scope_id, 'two', redis);
  expect(await trace(scope_id, 'one')).toMatchObject({
    source: { source_id: 'one', position: 1, state: 'pending', fallback: false, record: null },
    metadata,
    traced: true,
    memory: null,
    entries: [],
    more: 0,
  });
  const first = (await flush(scope_id)).memory;
  await capture(service, scope_id, 'three', postgres);
  const { body } = await service.call('list_memory_entries', { body: { scope_id } });
  const [retired] = body.entries.filter(({ text }) => text === kafka);
  if (retired === undefined) throw new Error('The flush made no entry of Kafka.');
  await retire(service, scope_id, retired.citation);
  const second = (await flush(scope_id)).memory;

  const one = await trace(scope_id, 'one');
  expect(one.memory).toEqual(first);
  expect(one.source.state).toBe('processed');
  expect(
    one.entries.map(({ then, now }) => [then.text, then.version, then.state, now.version, now.state]),
  ).toEqual([
    [kafka, 1, 'active', 1, 'inactive'],
    [postgres, 1, 'active', 2, 'active'],
  ]);
  for (const { then, now } of one.entries) {
    expect(then.source_refs).toContainEqual({ name: 'content', source_id: 'one' });
    expect([then.citation.memory_ref, now.citation.memory_ref]).toEqual([first, second]);
    for (const entry of [then, now]) {
      const read = await service.call('get_memory_entry', { body: { scope_id, citation: entry.citation } });
      expect(read.body).toEqual(entry);
    }
  }
  const two = await trace(scope_id, 'two');
  expect([two.memory, two.metadata]).toEqual([first, null]);
  expect(two.entries.map(({ then }) => then.text)).toEqual([redis]);
  const three = await trace(scope_id, 'three');
  expect(three.memory).toEqual(second);
  expect(three.entries.map(({ then, now }) => [then.text, then.version, now.version])).toEqual([
    [postgres, 2, 2],
  ]);

  // The Source of an Artifact write is no evidence.
  await service.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries: [{ kind: 'fact', text: 'Written by hand.' }] } },
  });
  const [newest] = (await list(scope_id)).items;
  expect(newest).toMatchObject({ position: 4, state: 'not_eligible', record: 'artifact-write' });
  expect(await trace(scope_id, newest?.source_id ?? '')).toMatchObject({
    source: newest,
    traced: true,
    memory: null,
    entries: [],
  });
});

test('spec 60 §3.6.2: what an earlier release flushed, and a window without a change', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'old', kafka);
  await flush(scope_id);
  await query(service.databaseUrl, 'DELETE FROM source_flushes');
  await capture(service, scope_id, 'thanks', 'Thanks!');
  await flush(scope_id);
  await capture(service, scope_id, 'new', redis);
  await flush(scope_id);
  expect(await trace(scope_id, 'old')).toMatchObject({ traced: false, memory: null, entries: [], more: 0 });
  expect(await trace(scope_id, 'thanks')).toMatchObject({ traced: true, memory: null, entries: [] });
  const found = await trace(scope_id, 'new');
  expect([found.traced, found.entries.map(({ then }) => then.text)]).toEqual([true, [redis]]);
});

test('spec 60 §3.6.1: a Source of 120 entries shows the first hundred and counts the others', async () => {
  const scope_id = freshScope();
  const lines = Array.from({ length: 120 }, (_, index) => `We decided to use port ${8000 + index}.`);
  await capture(service, scope_id, 'long', lines.join('\n'));
  await flush(scope_id);
  const { entries, more } = await trace(scope_id, 'long');
  const ids = entries.map(({ then }) => then.citation.entry_id);
  expect(ids).toHaveLength(100);
  expect(ids).toEqual(ids.toSorted());
  expect(more).toBe(20);
});

test('spec 60 §3.6: an unknown Source is 404 in every spelling', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'known');
  for (const [scope, name, source_id] of [
    [scope_id, 'content', 'unknown'],
    [scope_id, 'unknown', 'known'],
    [freshScope(), 'content', 'known'],
    [scope_id, 'content', "known' OR '1'='1"],
    [scope_id, 'content', 'Known'],
  ] as const) {
    const reply = await service.call('trace_source', {
      body: { scope_id: scope, source: { name, source_id } },
    });
    expect(reply.error).toMatchObject({
      code: 'source_not_found',
      details: { scope_id: scope, source_type: name, source_id },
    });
  }
});

test('spec 60 §3.5: Sources newest first on pages of any size, with their states', async () => {
  const scope_id = freshScope();
  expect(await list(scope_id)).toEqual({
    items: [],
    next_cursor: null,
    high_watermark: 0,
    extraction_cursor: 0,
  });
  for (let count = 1; count <= 5; count += 1)
    await capture(service, scope_id, `s${count}`, `${redis} ${count}`);
  await flush(scope_id);
  for (let count = 6; count <= 9; count += 1) await capture(service, scope_id, `s${count}`);
  const first = await list(scope_id, { limit: '4' });
  await capture(service, scope_id, 'later');
  const second = await list(scope_id, { limit: '100', cursor: first.next_cursor ?? '' });
  expect([...positions(first), ...positions(second)]).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect([first.high_watermark, first.extraction_cursor, second.next_cursor]).toEqual([9, 5, null]);
  expect(positions(await list(scope_id, { state: 'pending' }))).toEqual([10, 9, 8, 7, 6]);
  expect(positions(await list(scope_id, { state: 'processed' }))).toEqual([5, 4, 3, 2, 1]);
  expect(positions(await list(scope_id, { state: 'not_eligible' }))).toEqual([]);
  const pending = await list(scope_id, { state: 'pending', limit: '2' });
  expect(positions(await list(scope_id, { state: 'pending', cursor: pending.next_cursor ?? '' }))).toEqual([
    8, 7, 6,
  ]);
  for (const asked of [
    { cursor: pending.next_cursor ?? '' },
    { cursor: 'x' },
    { state: 'processed', cursor: first.next_cursor ?? '' },
  ] as const) {
    const reply = await service.call('list_sources', { params: { scope_id }, query: asked });
    expect(reply.error?.code).toBe('invalid_cursor');
  }
  const elsewhere = await service.call('list_sources', {
    params: { scope_id: freshScope() },
    query: { cursor: first.next_cursor ?? '' },
  });
  expect(elsewhere.error?.code).toBe('invalid_cursor');
  for (const wrong of ['limit=0', 'limit=101', 'state=unknown', 'state=', 'cursor=']) {
    expect((await service.send('GET', `/v1/scopes/${scope_id}/sources?${wrong}`)).status).toBe(422);
  }
});

test('spec 60 §3.5.1: a summary has the beginning of the text on one line, and the size as canonical JSON', async () => {
  const scope_id = freshScope();
  const contents: [unknown, string][] = [
    ['short', 'short'],
    ['  two\n\n lines\t"quoted" \\ back\u0007slash ', 'two lines "quoted" \\ back\u0007slash'],
    ['\u{1F600}'.repeat(300), `${'\u{1F600}'.repeat(239)}…`],
    ['\u0001'.repeat(2_500), `${'\u0001'.repeat(239)}…`],
    [`${' '.repeat(1_999)}ab`, 'a'],
    [`${'x'.repeat(240)}`, 'x'.repeat(240)],
    [{ z: 1, a: '\u00e9' }, '{"a":"\u00e9","z":1}'],
    [42, '42'],
    ['y'.repeat(200_000), `${'y'.repeat(239)}…`],
  ];
  for (const [content] of contents) {
    await service.call('create_source', { params: { scope_id }, body: { content } });
  }
  const { items } = await list(scope_id);
  expect(items.map(({ excerpt }) => excerpt).toReversed()).toEqual(contents.map(([, excerpt]) => excerpt));
  for (const { source_id, content_bytes, content_digest, source_type } of items) {
    const reply = await service.send('GET', `/v1/scopes/${scope_id}/sources/${source_type}/${source_id}`);
    const [, canonical = ''] = /"content":(.*),"position":/s.exec(reply.text) ?? [];
    expect(content_bytes).toBe(Buffer.byteLength(canonical));
    expect(content_digest).toBe(`sha256:${createHash('sha256').update(canonical).digest('hex')}`);
  }
});

test('spec 60 §3.5.2: a page of one state looks at 1,000 Sources, and the next one goes on', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'first', redis);
  await flush(scope_id);
  await query(
    service.databaseUrl,
    `WITH line AS (
       UPDATE source_sequences q SET last_position = 1501, extraction_cursor = 1501 FROM scopes s
       WHERE s.tenant_id = q.tenant_id AND s.scope_key = q.scope_key AND s.scope_id = $1 RETURNING q.tenant_id, q.scope_key
     )
     INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
     SELECT tenant_id, scope_key, n + 1, 'content', 'lineage ' || n, '"x"', '\\x00', false FROM line, generate_series(1, 1500) n`,
    [scope_id],
  );
  const first = await list(scope_id, { state: 'processed' });
  expect(first.items).toEqual([]);
  const second = await list(scope_id, { state: 'processed', cursor: first.next_cursor ?? '' });
  expect([positions(second), second.next_cursor]).toEqual([[1], null]);
});
