import { scopePath } from '@continuity/shared/handlers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactCalls, etagOf, memoryContentOf } from '../support/artifacts.ts';
import { expectIssues } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let artifact: ReturnType<typeof artifactCalls>;

beforeAll(async () => {
  service = await startService();
  artifact = artifactCalls(service);
});

afterAll(() => service.stop());

const post = (scope: string, body: unknown, headers: Record<string, string> = {}) =>
  service.send('POST', scopePath(scope, 'artifacts'), body, headers);

test('spec 10 scenario 9: a Create in a new Scope creates the Scope Memory with its Source, searchable at once', async () => {
  const entries = [
    { kind: 'decision', text: ' Retry a failed card charge at most three times. ' },
    { kind: 'constraint', text: 'Invoices are never deleted, only voided.' },
  ];
  const created = await artifact.create('atlas/billing', entries);
  expect(created.status).toBe(201);
  const [source] = created.body.sources;
  expect(created.body).toEqual({
    scope_id: 'atlas/billing',
    family: 'memory',
    artifact_id: 'memory',
    revision: 1,
    sources: [{ source_type: 'content', source_id: expect.any(String) }],
    artifacts: [],
  });
  expect(created.headers.get('location')).toBe('/v1/scopes/atlas%2Fbilling/artifacts/memory/memory');
  const read = await service.call('get_source', {
    params: { scope_id: 'atlas/billing', source_type: 'content', source_id: source?.source_id ?? '' },
  });
  expect(read.body).toMatchObject({ content: { entries }, position: 1 });
  expect(await artifact.found('atlas/billing', 'failed card charge')).toEqual([
    'Retry a failed card charge at most three times.',
  ]);
  expect(await artifact.found('atlas/billing', 'invoices deleted')).toHaveLength(1);
  expect(await artifact.found('atlas', 'invoices deleted')).toEqual([]);
  const head = await service.send('GET', created.headers.get('location') ?? '');
  expect(head.status).toBe(200);
  expect(head.headers.get('etag')).toBe(etagOf(created));
});

test('spec 10 scenario 10: remember appends to the Memory of a Create; a second Create adds another Memory', async () => {
  const first = await artifact.create('both', artifact.facts('Otters hold hands.'));
  const remembered = await artifact.remember('both', 'Otters sleep afloat.');
  expect(remembered.body.memory).toEqual({ family: 'memory', artifact_id: 'memory', revision: 2 });
  const second = await artifact.create('both', artifact.facts('Otters use stones.'));
  expect(first.body.artifact_id).toBe('memory');
  expect(second.body.artifact_id).not.toBe('memory');
  expect(second.body.revision).toBe(1);
  expect(await artifact.found('both', 'otters')).toEqual([
    'Otters hold hands.',
    'Otters sleep afloat.',
    'Otters use stones.',
  ]);
  const { body } = await service.call('search_memory', { body: { scope_id: 'both', query: 'stones' } });
  expect(body.hits[0]?.citation.memory_ref).toEqual({
    family: 'memory',
    artifact_id: second.body.artifact_id,
    revision: 1,
  });
  const entries = await service.call('list_memory_entries', { body: { scope_id: 'both' } });
  expect(entries.body.entries).toHaveLength(2);
});

test('spec 10 scenario 11: bounds of commands; a rejected call uses up no position', async () => {
  const many = (count: number) =>
    artifact.facts(...Array.from({ length: count }, (_, index) => `fact ${index}`));
  expect((await artifact.create('bounds', many(100))).status).toBe(201);
  for (const count of [101, 0]) expect((await artifact.create('bounds', many(count))).status).toBe(422);
  expect((await artifact.create('bounds', artifact.facts('a'.repeat(8192)))).status).toBe(201);
  const tooLong = await artifact.create('bounds', artifact.facts('fine', 'é'.repeat(8192), 'a'.repeat(8193)));
  expect(tooLong.status).toBe(422);
  expect(tooLong.error?.details['issues']).toMatchObject([
    { path: 'content.entries[1].text' },
    { path: 'content.entries[2].text' },
  ]);
  expect(await artifact.nextPosition('bounds')).toBe(3);
});

test('spec 10 §6.3: equal commands are one entry, and entry ids ascend in request order', async () => {
  const created = await artifact.create('order', [
    { kind: ' fact ', text: 'Zebra' },
    { kind: 'decision', text: 'Zebra' },
    { kind: 'fact', text: '  Zebra  ' },
    { kind: 'fact', text: 'Ape' },
  ]);
  const { body } = await service.call('list_memory_entries', { body: { scope_id: 'order' } });
  expect(body.entries.map(({ kind, text }) => [kind, text])).toEqual([
    ['fact', 'Zebra'],
    ['decision', 'Zebra'],
    ['fact', 'Ape'],
  ]);
  const head = await artifact.head('order');
  const { manifest, changes } = memoryContentOf(head);
  expect(manifest.entries.map(({ entry_id }) => entry_id)).toEqual(
    body.entries.map(({ citation }) => citation.entry_id),
  );
  expect(changes.map(({ op, from_entry_version_id, reason }) => [op, from_entry_version_id, reason])).toEqual(
    manifest.entries.map(() => ['add', null, null]),
  );
  expect(etagOf(head)).toBe(etagOf(created));
});

test('spec 10 scenario 19: one Idempotency-Key has one effect', async () => {
  const key = { 'Idempotency-Key': 'k-1' };
  const body = { family: 'memory', content: { entries: artifact.facts('Kept once.') } };
  const [first, again] = [await post('keyed', body, key), await post('keyed', body, key)];
  expect(first.status).toBe(201);
  expect(again.status).toBe(201);
  expect(again.text).toBe(first.text);
  for (const header of ['etag', 'location'])
    expect(again.headers.get(header)).toBe(first.headers.get(header));
  await artifact.remember('keyed', 'Something newer.');
  expect((await post('keyed', body, key)).text).toBe(first.text);
  const other = await artifact.create('keyed', artifact.facts('Something else.'), key);
  expect([other.status, other.error?.code, other.error?.details]).toEqual([
    409,
    'artifact_conflict',
    { reason: 'idempotency_key' },
  ]);
  expect((await post('elsewhere', body, key)).status).toBe(201);
  expect(await artifact.nextPosition('keyed')).toBe(2);
  for (const malformed of ['', 'a b', 'x'.repeat(257)]) {
    expect((await post('keyed', body, { 'Idempotency-Key': malformed })).status).toBe(422);
  }
});

test('20 concurrent Creates with one Idempotency-Key have one effect', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      artifact.create('keyed-race', artifact.facts('Once.'), { 'Idempotency-Key': 'one' }),
    ),
  );
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set(replies.map(etagOf)).size).toBe(1);
  expect(await artifact.nextPosition('keyed-race')).toBe(2);
});

test('one of several concurrent first writers creates the Scope Memory, and no write is lost', async () => {
  const creates = Array.from({ length: 8 }, (_, index) =>
    artifact.create('first', artifact.facts(`created ${index}`)),
  );
  const remembers = Array.from({ length: 8 }, (_, index) =>
    artifact.remember('first', `remembered ${index}`),
  );
  const captures = Array.from({ length: 8 }, (_, index) =>
    service.call('capture_content_source', {
      body: { scope_id: 'first', source_id: `capture-${index}`, content: 'captured' },
    }),
  );
  const [created, remembered, captured] = await Promise.all([
    Promise.all(creates),
    Promise.all(remembers),
    Promise.all(captures),
  ]);
  expect(new Set(created.map(({ body }) => body.artifact_id)).size).toBe(8);
  const makers = created.filter(({ body }) => body.artifact_id === 'memory').length;
  const revisions = remembered.map(({ body }) => body.memory.revision).sort((a, b) => a - b);
  expect(revisions).toEqual(Array.from({ length: 8 }, (_, index) => index + 1 + makers));
  expect(makers).toBeLessThanOrEqual(1);
  expect(captured.map(({ status }) => status)).toEqual(captures.map(() => 202));
  expect(await artifact.found('first', 'created')).toHaveLength(8);
  expect(await artifact.nextPosition('first')).toBe(17);
});

describe('an invalid Create request', () => {
  const entry = { kind: 'fact', text: 'x' };
  const content = { entries: [entry] };
  const refused: [string, unknown, string][] = [
    ['a Family outside the enum', { family: 'notes', content }, 'family'],
    ['no Family', { content }, 'family'],
    ['an artifact_id', { family: 'memory', artifact_id: 'mine', content }, 'artifact_id'],
    [
      'an entry_id',
      { family: 'memory', content: { entries: [{ ...entry, entry_id: 'e' }] } },
      'content.entries[0].entry_id',
    ],
    [
      'a blank kind',
      { family: 'memory', content: { entries: [{ ...entry, kind: ' \u3000' }] } },
      'content.entries[0].kind',
    ],
    [
      'a blank text',
      { family: 'memory', content: { entries: [{ ...entry, text: '\uFEFF\n' }] } },
      'content.entries[0].text',
    ],
    [
      'a kind of 129',
      { family: 'memory', content: { entries: [{ ...entry, kind: 'k'.repeat(129) }] } },
      'content.entries[0].kind',
    ],
    [
      'a text that is a number',
      { family: 'memory', content: { entries: [{ kind: 'fact', text: 1 }] } },
      'content.entries[0].text',
    ],
    [
      'a NUL',
      { family: 'memory', content: { entries: [{ kind: 'fact', text: 'a\0b' }] } },
      'content.entries[0].text',
    ],
    [
      'a lone surrogate',
      { family: 'memory', content: { entries: [{ kind: 'fact', text: '\ud800' }] } },
      'content.entries[0].text',
    ],
    ['content that is null', { family: 'memory', content: null }, 'content'],
    ['no body', undefined, ''],
    ['no object', 'null', ''],
    ['no JSON', '{"family"', ''],
  ];

  test('the blank text of an entry is listed beside the other issues', async () => {
    const entries = [
      { ...entry, text: ' ' },
      { ...entry, extra: 1 },
    ];
    const reply = await post('refused', { family: 'memory', content: { entries }, more: 1 });
    expectIssues(reply, ['content.entries[0].text', 'content.entries[1].extra', 'more']);
  });

  test.each(refused)('%s is 422 and creates no Scope', async (_name, body, path) => {
    const reply = await post('refused', body);
    expect([reply.status, reply.json]).toMatchObject([
      422,
      { error: { code: 'invalid_request', details: { issues: [{ path }] } } },
    ]);
    expect(await service.call('list_memory_entries', { body: { scope_id: 'refused' } })).toMatchObject({
      body: { memory: null },
    });
  });

  test('hostile texts are stored exactly', async () => {
    const texts = [
      '__proto__',
      "'; DROP TABLE artifacts; --",
      '\u{1F9E0}'.repeat(100),
      '{"a":[1]}',
      '\\u0000 \\',
    ];
    await artifact.create('hostile', artifact.facts(...texts));
    const { body } = await service.call('list_memory_entries', { body: { scope_id: 'hostile' } });
    expect(body.entries.map(({ text }) => text)).toEqual(texts);
  });
});
