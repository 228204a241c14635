import { afterAll, beforeAll, expect, test } from 'vitest';
import { learn, prepare, prepareCompact } from '../support/context.ts';
import { documentCalls, experience } from '../support/documents.ts';
import { type Entry, expectIssues, freshScope, race, remember, retire } from '../support/memory.ts';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let acme: ReturnType<typeof clientOf>;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') } });
  acme = clientOf(service.url, 'acme');
});

afterAll(() => service.stop());

const today = () => new Date().toISOString().slice(0, 10);

const readEntry = async (scope_id: string, short_id: string) =>
  (await acme.call('get_memory_entry', { body: { scope_id, short_id } })).body;

const revise = async (scope_id: string, { citation, kind }: Entry, text: string) => {
  const { body } = await acme.call('revise_memory_entry', { body: { scope_id, citation, kind, text } });
  if (body.entry === null) throw new Error('The answer to revise has no entry.');
  return body.entry;
};

test('spec 25 Q11: a compact item has an id that reads its version, the date, and the text', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(acme, scope_id, 'Run the contract tests after each change.');
  const dates = [today()];
  const { items, status } = await prepareCompact(acme, scope_id, 'which contract tests');
  dates.push(today());
  expect(status).toBe('ready');
  expect(items).toEqual([{ id: expect.any(String), on: expect.any(String), text: entry.text }]);
  expect(dates).toContain(items[0]?.on);
  expect(await readEntry(scope_id, items[0]?.id ?? '')).toEqual(entry);
});

test('spec 25 Q11: an Experience, a referenced Scope and a cut text show that they are one', async () => {
  const near = await scopeCalls(acme).made();
  const scope_id = await scopeCalls(acme).made({ context_references: [near] });
  await remember(acme, scope_id, `A zebra ${'of many stripes '.repeat(200)}`);
  await remember(acme, near, 'The zebra of a neighbour.');
  const artifact_id = await learn(acme, near, 'A zebra crossed.');
  const { items } = await prepareCompact(acme, scope_id, 'zebra');
  expect(items.map(({ id, on, text, ...more }) => more)).toEqual([
    { truncated: true },
    { scope: near, kind: 'experience' },
    { scope: near },
  ]);
  const read = await acme.call('get_experience', {
    body: { scope_id: near, short_id: items[1]?.id ?? '' },
  });
  expect(read.body.artifact).toEqual({ family: 'experience', artifact_id, revision: 1 });
  expect((await readEntry(near, items[2]?.id ?? '')).text).toBe('The zebra of a neighbour.');
});

test('spec 25 Q11: a short id of an Experience reads its revision, also when a newer one is the head', async () => {
  const scope_id = freshScope();
  const calls = documentCalls(acme);
  const { body, headers } = await calls.createExperience(scope_id, experience({ lesson: 'Ask a zebra.' }));
  const [first] = (await prepareCompact(acme, scope_id, 'zebra')).items;
  const etag = String(headers.get('etag'));
  await calls.replaceExperience(scope_id, body.artifact_id, etag, experience({ lesson: 'Ask two zebras.' }));
  const [second] = (await prepareCompact(acme, scope_id, 'zebras')).items;
  const lessonOf = async (short_id = '') =>
    (await acme.call('get_experience', { body: { scope_id, short_id } })).body.content.lesson;
  expect(await lessonOf(first?.id)).toBe('Ask a zebra.');
  expect(await lessonOf(second?.id)).toBe('Ask two zebras.');
});

test('spec 25 Q11: 16 items unless max_items says otherwise, up to 32', async () => {
  const scope_id = freshScope();
  await race(40, (index) => remember(acme, scope_id, `A zebra has ${index} stripes.`));
  const counts = [undefined, 1, 20, 32].map(async (max_items) => {
    const more = { max_bytes: 32_768, ...(max_items !== undefined && { max_items }) };
    return (await prepareCompact(acme, scope_id, 'zebra', more)).items.length;
  });
  expect(await Promise.all(counts)).toEqual([16, 1, 20, 32]);
  const whole = { scope_id, query: 'zebra', max_bytes: 32_768 };
  const { content } = (await acme.call('prepare_context', { body: { ...whole, max_items: 20 } })).body;
  expect(content?.match(/"citation"/g)).toHaveLength(20);
  expect((await prepare(acme, scope_id, 'zebra', 32_768)).items).toHaveLength(8);
});

test.each<[string, Record<string, unknown>, string]>([
  ['no items', { max_items: 0 }, 'max_items'],
  ['33 items', { max_items: 33 }, 'max_items'],
  ['items as text', { max_items: '8' }, 'max_items'],
  ['an unknown format', { format: 'v2' }, 'format'],
  ['a format of null', { format: null }, 'format'],
])('spec 25 Q11: %s is 422', async (_name, change, path) => {
  expectIssues(await acme.send('POST', '/v1/context/prepare', { scope_id: 's', query: 'x', ...change }), [
    path,
  ]);
});

test('spec 25 Q11: capabilities list both versions', async () => {
  const { body } = await acme.call('get_capabilities');
  expect(body.context_versions).toEqual(['service.prepared-context.v1', 'service.prepared-context.v2']);
});

test('spec 25 Q11: a short id that is foreign, cut, changed or too long is 404 or 422', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(acme, scope_id, 'The vault opens at nine.');
  await learn(acme, scope_id, 'The vault was closed.');
  const { items } = await prepareCompact(acme, scope_id, 'vault');
  const other = freshScope();
  await remember(acme, other, 'The vault opens at ten.');
  const globex = clientOf(service.url, 'globex');
  await remember(globex, scope_id, 'The vault opens at eleven.');
  for (const { id, kind } of items) {
    const path = kind === undefined ? '/v1/memory/entries/get' : '/v1/experience/get';
    const wrongPath = kind === undefined ? '/v1/experience/get' : '/v1/memory/entries/get';
    const code = (at: string) => (at === '/v1/experience/get' ? 'artifact_not_found' : 'memory_not_found');
    const swapped = id.replace(/[a-zA-Z]/g, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expect((await acme.send('POST', path, { scope_id, short_id: id })).status).toBe(200);
    for (const [client, at, scope, short_id] of [
      [acme, path, other, id],
      [acme, path, freshScope(), id],
      [globex, path, scope_id, id],
      [acme, wrongPath, scope_id, id],
      ...[id.slice(0, -1), id.slice(1), `A${id}`, `${id}A`, swapped, id.toLowerCase(), `${id}.`, '-'].map(
        (changed) => [acme, path, scope_id, changed] as const,
      ),
    ] as const) {
      const reply = await client.send('POST', at, { scope_id: scope, short_id });
      expect(reply).toMatchObject({ status: 404, json: { error: { code: code(at) } } });
    }
    for (const short_id of ['', 'x'.repeat(4_096), `${id}=`, `${id} `, `${id}\u0000`, 7, null])
      expectIssues(await acme.send('POST', path, { scope_id, short_id }), ['short_id']);
    expectIssues(await acme.send('POST', path, { scope_id }), ['']);
  }
  const both = { scope_id, citation: entry.citation, short_id: items[0]?.id };
  expectIssues(await acme.send('POST', '/v1/memory/entries/get', both), ['']);
});

test('spec 25 Q11: versions of an entry that is revised, retired and remembered again have one short id each', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(acme, scope_id, 'The zebra is one.');
  const versions = [entry];
  for (const count of ['two', 'three', 'four', 'five', 'six', 'seven']) {
    await remember(acme, scope_id, `Between: ${count}.`);
    const current = versions.at(-1) ?? entry;
    const memory_ref = { ...current.citation.memory_ref, revision: current.citation.memory_ref.revision + 1 };
    const citation = { ...current.citation, memory_ref };
    versions.push(await revise(scope_id, { ...current, citation }, `The zebra is ${count}.`));
  }
  const ids = new Set<string>();
  const last = versions.at(-1) ?? entry;
  for (let round = 0; round < 2; round += 1) {
    const [item] = (await prepareCompact(acme, scope_id, 'zebra')).items;
    ids.add(item?.id ?? '');
    expect(await readEntry(scope_id, item?.id ?? '')).toEqual(last);
    await retire(acme, scope_id, last.citation);
    expect(await readEntry(scope_id, item?.id ?? '')).toEqual(last);
    await remember(acme, scope_id, last.text, last.kind);
  }
  expect(ids.size).toBe(1);
});

test('spec 25 scenario 5: the same text in eight kinds is one item, the newest, and another entry still fits', async () => {
  const scope_id = freshScope();
  for (const kind of ['fact', 'decision', 'constraint', 'preference', 'working_note', 'rule', 'todo'])
    await remember(acme, scope_id, 'Releases happen on Tuesdays.', kind);
  const newest = await remember(acme, scope_id, 'releases  happen on "Tuesdays"!', 'note');
  const other = await remember(acme, scope_id, 'Releases need two approvals.');
  const query = 'when do releases happen';
  const { items } = await prepare(acme, scope_id, query, 32_768);
  expect(items.map(({ content }) => content)).toEqual([newest.entry.text, other.entry.text]);
  expect(items[0]?.citation).toMatchObject({ entry_id: newest.entry.citation.entry_id });
  const compact = await prepareCompact(acme, scope_id, query);
  expect(compact.items.map(({ text }) => text)).toEqual([newest.entry.text, other.entry.text]);
});

test('spec 25 scenario 5: of twelve sprint states the newest is an item', async () => {
  const scope_id = freshScope();
  for (let sprint = 1; sprint <= 12; sprint += 1)
    await remember(acme, scope_id, `Sprint ${sprint}: the deploy target is cluster number ${sprint}.`);
  const words = 'what is the deploy target cluster now?';
  const { items } = await prepareCompact(acme, scope_id, words);
  expect(items.map(({ text }) => text).join()).toContain('Sprint 12');
});

test('spec 25 Q10: a hit that barely matches is no item, and a search still finds it', async () => {
  const scope_id = freshScope();
  await remember(acme, scope_id, 'The nightly export writes parquet files to the archive bucket.');
  await race(30, (index) => remember(acme, scope_id, `The nightly export number ${index} was fine.`));
  const query = 'where does the nightly export write its parquet files in the archive bucket';
  const { hits } = (await acme.call('search_memory', { body: { scope_id, query, limit: 16 } })).body;
  const { items } = await prepareCompact(acme, scope_id, query);
  expect(hits[0]?.text).toContain('parquet');
  const relevant = hits.filter(({ score }) => score >= (hits[0]?.score ?? 0) / 5);
  expect(items.map(({ text }) => text)).toEqual(relevant.map(({ text }) => text));
  expect(relevant.length).toBeLessThan(hits.length);
});

test('spec 25 Q18: an empty context and a search without hits say why', async () => {
  const scope_id = freshScope();
  const found = async (scope: string, query: string) =>
    (await acme.call('search_memory', { body: { scope_id: scope, query } })).body;
  const reasons = async (scope: string, query = 'zebra') => [
    (await prepareCompact(acme, scope, query)).reason,
    (await prepare(acme, scope, query)).reason,
    (await found(scope, query)).reason,
  ];
  expect(await reasons(scope_id)).toEqual(['no_memory', 'no_memory', 'no_memory']);
  const { entry } = await remember(acme, scope_id, 'A gazebo.');
  expect(await reasons(scope_id)).toEqual(['no_match', 'no_match', 'no_match']);
  expect(await reasons(scope_id, '!!!')).toEqual(['no_match', 'no_match', 'no_match']);
  expect(await reasons(scope_id, 'gazebo')).toEqual([undefined, undefined, undefined]);
  expect(await found(scope_id, 'gazebo')).not.toHaveProperty('reason');
  await retire(acme, scope_id, entry.citation);
  expect(await reasons(scope_id, 'gazebo')).toEqual(['no_memory', 'no_memory', 'no_memory']);

  const learned = freshScope();
  await learn(acme, learned, 'A pavilion.');
  expect(await reasons(learned)).toEqual(['no_match', 'no_match', 'no_match']);
  // Prepare reads the referenced Scope, search does not.
  const referring = await scopeCalls(acme).made({ context_references: [learned] });
  expect(await reasons(referring)).toEqual(['no_match', 'no_match', 'no_memory']);
  const elsewhere = clientOf(service.url, 'globex');
  expect((await prepareCompact(elsewhere, learned, 'pavilion')).reason).toBe('no_memory');
});

test('spec 25 Q18: a context without room says so', async () => {
  const scope_id = freshScope();
  await remember(acme, scope_id, `zebra ${'\u0001'.repeat(300)}`);
  expect(await prepareCompact(acme, scope_id, 'zebra', { max_bytes: 512 })).toMatchObject({
    status: 'empty',
    reason: 'no_room',
  });
});
