import { newId } from '@continuity/kernel/text';
import { embedAll, type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { learn, recallOf } from '../support/context.ts';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { freshScope, remember, retire } from '../support/memory.ts';
import { expectExplained, RandomContexts } from '../support/random-contexts.ts';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { statsOf } from '../support/stats.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('a', 'b') } });
const a = clientOf(service.url, 'a');
const b = clientOf(service.url, 'b');

afterAll(() => service.stop());

const outcomes = ({ items }: Awaited<ReturnType<typeof expectExplained>>) =>
  items.map(({ outcome }) => outcome);

const entryOf = (scope_id: string, { citation }: { citation: { entry_id: string } }) => ({
  kind: 'memory' as const,
  scope_id,
  artifact_id: 'memory',
  entry_id: citation.entry_id,
});

test('spec 60 scenario 13: 50 explanations equal what was prepared, and move no recall statistic', async () => {
  const random = new RandomContexts(a, 13);
  await random.begin();
  for (let count = 0; count < 120; count += 1) await random.change();
  const seen = new Set<string>();
  for (let count = 0; count < 50; count += 1) {
    for (const outcome of outcomes(await expectExplained(a, random.request()))) seen.add(outcome);
  }
  expect([...seen].sort()).toEqual(['enough_items', 'family_limit', 'included', 'no_room', 'truncated']);
  const before = await statsOf(a, { mode: 'all' });
  for (let count = 0; count < 10; count += 1) {
    await a.call('explain_context', {
      body: { scope_id: (await scopeCalls(a).list()).body.items[0]?.scope_id ?? '', query: 'postgres' },
    });
  }
  expect((await statsOf(a, { mode: 'all' })).recall).toEqual(before.recall);
});

test('spec 60 §3.2.7: an explanation counts no preparation', async () => {
  const scope_id = freshScope();
  await remember(a, scope_id, 'The harbour opens at six.');
  await a.call('explain_context', { body: { scope_id, query: 'harbour' } });
  expect(await recallOf(service.databaseUrl, scope_id)).toEqual([]);
});

test('spec 60 scenario 14: truncated, no room, enough items, a third Experience and skipped references are said', async () => {
  const others = [];
  for (let count = 0; count < 17; count += 1) others.push(await scopeCalls(a).made());
  const scope_id = await scopeCalls(a).made({ context_references: others });
  await remember(a, scope_id, `Postgres long ${'x '.repeat(1_500)}`);
  for (let count = 0; count < 9; count += 1) await remember(a, scope_id, `Postgres setting ${count}.`);
  const experiences = [];
  for (let count = 0; count < 3; count += 1)
    experiences.push(await learn(a, scope_id, `Postgres lesson ${count}.`));
  const query = 'postgres setting long lesson';
  const whole = await expectExplained(a, { scope_id, query, max_bytes: 32_768 });
  expect(outcomes(whole).filter((outcome) => outcome === 'enough_items').length).toBeGreaterThan(0);
  expect(outcomes(whole)).toContain('truncated');
  expect(whole.items.at(-1)).toMatchObject({
    family: 'experience',
    trial: null,
    outcome: 'family_limit',
    rank: 3,
  });
  expect(whole.skipped.map(({ reason }) => reason)).toEqual(['over_limit', 'over_limit']);
  expect(whole.skipped.map((one) => one.scope_id)).toEqual(others.toSorted().slice(15));
  expect(whole.scopes).toHaveLength(16);
  expect(whole.scopes[0]).toEqual({
    scope_id,
    role: 'current',
    mode: 'fts',
    fallback: null,
    reranked: false,
    memory_hits: 10,
    experience_hits: 3,
  });
  expect(whole.scopes[1]).toMatchObject({ role: 'referenced', mode: null, fallback: null, memory_hits: 0 });
  const small = await expectExplained(a, { scope_id, query, max_bytes: 512 });
  expect(outcomes(small)).toContain('no_room');
});

test('spec 60 scenario 15: as subjects, what was not told says why', async () => {
  const parent_scope_id = await scopeCalls(a).made();
  const scope_id = await scopeCalls(a).made({ parent_scope_id });
  const ofParent = (await remember(a, parent_scope_id, 'Kafka of the parent.')).entry;
  const retired = (await remember(a, scope_id, 'Kafka was replaced.')).entry;
  await retire(a, scope_id, retired.citation);
  const ofB = (await remember(b, scope_id, 'Kafka of another tenant.')).entry;
  for (let count = 0; count < 10; count += 1) await remember(a, scope_id, `Redis number ${count}.`);
  for (let count = 0; count < 30; count += 1)
    await remember(a, scope_id, `Kafka broker number ${count} ${'padding '.repeat(count)}`);
  const { body } = await a.call('list_memory_entries', { body: { scope_id } });
  const redis = body.entries.find(({ text }) => text.startsWith('Redis'));
  const last = body.entries.findLast(({ text }) => text.startsWith('Kafka'));
  const first = body.entries.find(({ text }) => text.startsWith('Kafka'));
  if (redis === undefined || last === undefined || first === undefined)
    throw new Error('An entry is missing.');
  const lesson = await learn(a, scope_id, 'Kafka broker lesson.');
  const explained = await expectExplained(a, {
    scope_id,
    query: 'kafka broker number',
    subjects: [
      entryOf(scope_id, retired),
      entryOf(parent_scope_id, ofParent),
      entryOf(scope_id, redis),
      entryOf(scope_id, last),
      entryOf(scope_id, ofB),
      entryOf(scope_id, first),
      { ...entryOf(scope_id, first), entry_id: newId() },
    ],
  });
  expect(explained.subjects.map(({ outcome }) => outcome)).toEqual([
    'inactive',
    'scope_not_read',
    'not_admitted',
    'outranked',
    'unknown',
    'listed',
    'unknown',
  ]);
  const [, , missing, outranked] = explained.subjects;
  expect(missing?.channels?.lexical.matched.map((place) => explained.terms[place]?.text)).toEqual(['number']);
  expect(outranked?.score).toBeLessThanOrEqual(outranked?.last_score ?? 0);
  expect(outranked?.channels).toMatchObject({
    lexical: { matched: [0, 1, 2], admitted: true },
    vector: null,
  });
  const experience = await expectExplained(a, {
    scope_id,
    query: 'kafka broker lesson',
    subjects: [
      { kind: 'experience', scope_id, artifact_id: lesson },
      { kind: 'experience', scope_id, artifact_id: newId() },
      { kind: 'experience', scope_id, artifact_id: 'memory' },
    ],
  });
  expect(experience.subjects.map(({ outcome }) => outcome)).toEqual(['listed', 'unknown', 'unknown']);
});

test('spec 60 §3.2.5: terms by segment, with those that are rare in the current Scope', async () => {
  const scope_id = freshScope();
  for (let count = 0; count < 200; count += 1) await remember(a, scope_id, `Common words in entry ${count}.`);
  const { entry } = await remember(a, scope_id, 'The zeppelin is common.');
  const explained = await expectExplained(a, {
    scope_id,
    query: 'A common zeppelin?\nCommon unicorns.',
    subjects: [entryOf(scope_id, entry)],
  });
  expect(explained.segments).toBe(2);
  expect(explained.terms).toEqual([
    { text: 'common', segment: 1, is_rare: false },
    { text: 'zeppelin', segment: 1, is_rare: true },
    { text: 'unicorns', segment: 2, is_rare: false },
  ]);
  expect(explained.items).toHaveLength(1);
  expect(explained.items[0]).toMatchObject({
    citation: { entry_id: entry.citation.entry_id },
    excerpt: 'The zeppelin is common.',
    text_bytes: 23,
    rank: 1,
    score: 1,
    channels: { lexical: { score: 1, segment: 1, matched: [0, 1], admitted: true }, vector: null },
  });
});

test('spec 60 §3.2.8: an unknown Scope has an empty context, and no Scope, item or reference', async () => {
  const known = freshScope();
  const { entry } = await remember(a, known, 'Known.');
  const explained = await expectExplained(a, {
    scope_id: freshScope(),
    query: 'known',
    subjects: [entryOf(known, entry)],
  });
  expect(explained).toMatchObject({
    prepared: { status: 'empty', reason: 'no_memory' },
    scopes: [],
    skipped: [],
    items: [],
    subjects: [{ outcome: 'scope_not_read', item: null, score: null }],
  });
});

test.each([
  ['one word of 8,192 characters', 'x'.repeat(8_192)],
  ['2,700 sentences', 'a. '.repeat(2_700)],
  ['hundreds of lines', Array.from({ length: 400 }, (_, line) => `word${line} harbour`).join('\n')],
  ['no term', '!!! ??? …'],
  ['bidirectional and tag characters', '\u202eruobrah\u202c harbour \u{e0041}\u{e0042}'],
  ['ligatures that grow', '\ufdfa'.repeat(2_000)],
  ['emoji', '🚢'.repeat(2_000)],
  ['SQL and markup', `harbour'; DROP TABLE sources; -- <script>alert(1)</script> \\ % _`],
])('spec 60 §3.2: a query of %s is explained within its bounds', async (_what, query) => {
  const scope_id = freshScope();
  const { entry } = await remember(a, scope_id, 'The harbour opens at six. 🚢 <img src=x onerror=alert(1)>');
  const explained = await expectExplained(a, { scope_id, query, subjects: [entryOf(scope_id, entry)] });
  expect(explained.terms.length).toBeLessThanOrEqual(512);
  expect(explained.segments).toBeLessThanOrEqual(64);
  for (const { text } of explained.terms) expect([...text].length).toBeLessThanOrEqual(64);
});

test('spec 60 §3.2: at most eight subjects, each once, of a known kind', async () => {
  const subject = { kind: 'memory', scope_id: 's', artifact_id: 'memory', entry_id: 'x' };
  for (const subjects of [
    [subject, subject],
    Array.from({ length: 9 }, (_, index) => ({ ...subject, entry_id: `${index}` })),
    [{ ...subject, kind: 'skill' }],
    [{ kind: 'experience', scope_id: 's', artifact_id: 'a b' }],
    [{ ...subject, more: 1 }],
    null,
  ]) {
    const reply = await a.send('POST', '/v1/context/explain', { scope_id: 's', query: 'q', subjects });
    expect([subjects, reply.status]).toEqual([subjects, 422]);
  }
});

let stub: InferenceStub;
let embedding: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  embedding = await startService({ workers: true, environment: embeddingBy(stub) });
  stub.embedWith(embedAll);
});

afterAll(async () => {
  await embedding.stop();
  await stub.close();
});

test('spec 60 scenario 14: meaning has its own channel, and an endpoint that is down is said', async () => {
  const scope_id = freshScope();
  const car = (await remember(embedding, scope_id, 'The automobile is red.')).entry;
  const doctor = (await remember(embedding, scope_id, 'A physician came by.')).entry;
  await untilEmbedded(embedding, scope_id, 2);
  const subjects = [entryOf(scope_id, car), entryOf(scope_id, doctor)];
  const found = await expectExplained(embedding, { scope_id, query: 'car', subjects });
  expect(found.scopes[0]).toMatchObject({ mode: 'hybrid', fallback: null });
  expect(found.items).toHaveLength(1);
  expect(found.items[0]?.channels).toMatchObject({
    lexical: { score: 0, segment: null, matched: [], admitted: false },
    vector: { score: 1, admitted: true },
  });
  expect(found.items[0]?.score).toBe(1);
  expect(found.subjects).toMatchObject([
    { outcome: 'listed', item: 0 },
    { outcome: 'not_admitted', channels: { vector: { admitted: false } } },
  ]);
  stub.embedWith(() => ({ status: 503, body: '{}' }));
  const fallen = await expectExplained(embedding, { scope_id, query: 'red automobile' });
  expect(fallen.scopes[0]).toMatchObject({ mode: 'fts', fallback: 'query_not_embedded' });
  expect(fallen.items[0]?.channels.vector).toBeNull();
  stub.embedWith(embedAll);
});
