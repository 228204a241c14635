import type { CallInput } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { expectIssues, freshScope, race, remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

type SearchBody = NonNullable<CallInput<'search_memory'>['body']>;

const search = async (body: SearchBody) => (await service.call('search_memory', { body })).body;

test.each(['fts', 'auto'] as const)(
  'spec 20 scenario 2: what was just remembered is the first hit in mode %s',
  async (mode) => {
    const scope_id = freshScope();
    await remember(service, scope_id, 'The kettle is on the second floor.');
    const { entry, memory } = await remember(service, scope_id, 'The gazebo is behind the house.');
    const found = await search({ scope_id, query: 'gazebo', mode });
    expect(found).toMatchObject({ memory, mode: 'fts' });
    const [hit] = found.hits;
    expect(found.hits).toHaveLength(1);
    expect(hit).toMatchObject({ citation: entry.citation, text: entry.text, matched_by: ['fts'], score: 1 });
  },
);

test('spec 20 S8: one entry with every word of a query is first among hundreds with most of them', async () => {
  const scope_id = freshScope();
  const words = ['payment', 'gateway', 'retry', 'timeout', 'queue'];
  const texts = Array.from({ length: 300 }, (_, index) => {
    const some = words.filter((_word, place) => place !== index % 5);
    return `note ${index} is on ${some.join(' and ')}`;
  });
  for (let from = 0; from < texts.length; from += 100) {
    const entries = texts.slice(from, from + 100).map((text) => ({ kind: 'fact', text }));
    const body = { family: 'memory' as const, content: { entries } };
    expect((await service.call('create_artifact', { params: { scope_id }, body })).status).toBe(201);
  }
  await remember(service, scope_id, words.join(' and '));
  const { hits } = await search({ scope_id, query: words.join(' '), limit: 1 });
  expect(hits.map(({ text }) => text)).toEqual([words.join(' and ')]);
});

test('spec 20 scenario 25: stems, CJK words and forms without diacritics are found', async () => {
  const scope_id = freshScope();
  const texts = {
    'We ran the deployment to production on Monday.': ['deploying', 'deploys'],
    我们把数据库迁移到了新的服务器: ['数据库'],
    アプリの設定を変更しました: ['設定'],
    'Die Überprüfung der Rechnung ist abgeschlossen.': ['uberprufung', 'Überprüfung'],
  };
  for (const text of Object.keys(texts)) await remember(service, scope_id, text);
  for (const [text, queries] of Object.entries(texts)) {
    for (const query of queries) {
      const { hits } = await search({ scope_id, query });
      expect({ query, texts: hits.map((hit) => hit.text) }).toEqual({ query, texts: [text] });
    }
  }
});

test.each([
  ["'; DROP TABLE--"],
  ['"a" & !b:*'],
  ['x'.repeat(8192)],
  ['!!!'],
  ['\\'],
  ['%_*?[a-z]+(.*)$'],
  [`${'a'.repeat(8191)}\u{1F9E0}`],
])('spec 20 scenario 25: a query with operator syntax is plain words (%#)', async (query) => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'something to find');
  expect(await search({ scope_id, query })).toMatchObject({ mode: 'fts', hits: [] });
});

test.each<[string, Record<string, unknown>, string]>([
  ['a query of 8193 characters', { query: 'x'.repeat(8193) }, 'query'],
  ['a query of over 8192 characters in NFC', { query: '\u{1D160}'.repeat(8192) }, 'query'],
  ['a blank query', { query: '\u3000 \t' }, 'query'],
  ['an empty query', { query: '' }, 'query'],
  ['limit 0', { limit: 0 }, 'limit'],
  ['limit 51', { limit: 51 }, 'limit'],
  ['limit true', { limit: true }, 'limit'],
  ['limit "5"', { limit: '5' }, 'limit'],
  ['limit 1.5', { limit: 1.5 }, 'limit'],
  ['limit null', { limit: null }, 'limit'],
  ['an unknown mode', { mode: 'FTS' }, 'mode'],
])('spec 20 scenario 25: %s is 422', async (_name, change, path) => {
  const body = { scope_id: 'anywhere', query: 'words', ...change };
  expectIssues(await service.send('POST', '/v1/memory/search', body), [path]);
});

test('spec 20 S3: a Scope without Memory has no mode', async () => {
  expect(await search({ scope_id: freshScope(), query: 'x' })).toEqual({
    memory: null,
    mode: null,
    hits: [],
    reason: 'no_memory',
  });
});

test('spec 20 scenario 26: rare words win, and other Scopes never move a rank or a score', async () => {
  const scope_id = freshScope();
  const both = await remember(service, scope_id, 'The zanzibar quokka report is in the shared folder.');
  await race(200, (index) => remember(service, scope_id, `The report number ${index} is filed.`));
  // A common word admits an entry only where it is the only one of its segment (spec 25 Q4): the second query finds the crowd.
  const queries = ['zanzibar quokka report', 'quokka\nreport'].map((query) => ({
    scope_id,
    query,
    limit: 50,
  }));
  const before = await Promise.all(queries.map(search));
  expect(before.map(({ hits }) => hits[0]?.citation.entry_id)).toEqual([
    both.entry.citation.entry_id,
    both.entry.citation.entry_id,
  ]);
  expect(before.map(({ hits }) => hits.length)).toEqual([1, 50]);
  const crowd = freshScope('crowd');
  await race(300, (index) =>
    remember(service, crowd, `zanzibar quokka ${'report '.repeat(1 + (index % 5))}${index}`),
  );
  expect(await Promise.all(queries.map(search))).toEqual(before);
});

test('spec 20 scenario 27: without an embedding profile vector and hybrid are 422', async () => {
  const scope_id = freshScope();
  for (const mode of ['vector', 'hybrid'] as const) {
    const { status, error } = await service.call('search_memory', { body: { scope_id, query: 'x', mode } });
    expect({ status, error }).toMatchObject({
      status: 422,
      error: { code: 'capability_not_supported', details: { capability: mode } },
    });
  }
  const { body } = await service.call('get_capabilities');
  expect(body.search_modes).toEqual(['auto', 'fts']);
});
