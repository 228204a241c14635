import { type Client, type InferenceStub, startInferenceStub, waitUntil } from '@continuity/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { artifactCalls } from '../support/artifacts.ts';
import { patientModel, startImpatientService } from '../support/impatient-service.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { exactly, statsOf } from '../support/stats.ts';

let stub: InferenceStub;
let service: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({ workers: true, environment: patientModel(stub.url) });
});

beforeEach(() => stub.respondWith(() => ({ content: '{"proposals":[]}' })));

afterEach(() => {
  stub.requests.length = 0;
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

interface Said {
  op?: 'add' | 'revise';
  entry?: number | null;
  kind?: string;
  text: string;
  sources?: number[];
}

const says = (...said: Said[]) => ({
  content: JSON.stringify({
    proposals: said.map(({ op = 'add', entry = null, kind = 'decision', text, sources = [1] }) => ({
      op,
      entry,
      kind,
      text,
      sources,
      reason: null,
    })),
  }),
});

const capture = (scope_id: string, source_id: string, content: string, client: Client = service) =>
  client.call('capture_content_source', { body: { scope_id, source_id, content } });
const flush = (scope_id: string, client: Client = service) =>
  client.call('flush_memory', { body: { scope_id } });
const entriesOf = async (scope_id: string, client: Client = service) =>
  (await client.call('list_memory_entries', { body: { scope_id } })).body.entries;
const remember = (scope_id: string, text: string) =>
  service.call('remember_memory', { body: { scope_id, kind: 'decision', text } });

test('spec 20 X8: capabilities show the model', async () => {
  expect((await service.call('get_capabilities')).body.memory_extractor).toBe('model');
});

test('spec 20 scenario 20: a model time-out moves no cursor, and a later flush processes the window', async () => {
  const impatient = await startImpatientService(patientModel(stub.url));
  onTestFinished(() => impatient.stop());
  await capture('timeout', 'a', 'We use Kafka.', impatient);
  const before = await statsOf(impatient, exactly('timeout'));
  expect(before.inventory.sources).toEqual({ total: 1, memory_processed: 0, memory_pending: 1 });
  stub.respondWith(() => ({ hang: true }));
  const failed = await flush('timeout', impatient);
  expect([failed.status, failed.error?.code]).toEqual([503, 'inference_timeout']);
  expect(failed.headers.get('retry-after')).toBe('1');
  expect(await entriesOf('timeout', impatient)).toEqual([]);
  // A call without an answer does not count as usage.
  const { as_of: _later, ...same } = await statsOf(impatient, exactly('timeout'));
  expect(before).toMatchObject(same);
  stub.respondWith(() => says({ text: 'Kafka is used.' }));
  await impatient.waitForModel();
  const { body } = await flush('timeout', impatient);
  expect(body).toMatchObject({ previous_cursor: 0, current_cursor: 1, processed_source_count: 1 });
  expect(await entriesOf('timeout', impatient)).toMatchObject([
    { text: 'Kafka is used.', source_refs: [{ name: 'content', source_id: 'a' }] },
  ]);
});

test.each([
  ['unreachable', { status: 500, body: '{}' }],
  ['refused', { status: 401, body: '{}' }],
  ['invalid_output', { content: '{"proposals":[{"op":"add","entry":null,"kind":"rumour"}]}' }],
])('spec 20 F11: %s is inference_unavailable', async (reason, answer) => {
  await capture(reason, 'a', 'We use Kafka.');
  stub.respondWith(() => answer);
  const { status, error } = await flush(reason);
  expect([status, error?.code, error?.details]).toEqual([503, 'inference_unavailable', { reason }]);
  expect(await entriesOf(reason)).toEqual([]);
});

test('spec 70 scenario 1: the model sees the local date at which a text was said', async () => {
  const occurred_at = '2026-06-01T00:30:00.000+09:00';
  await service.call('capture_content_source', {
    body: { scope_id: 'dated', source_id: 'a', content: 'Tomorrow we ship.', occurred_at },
  });
  await flush('dated');
  const { sources } = JSON.parse(stub.requests[0]?.body.messages[1]?.content ?? '');
  expect(sources).toEqual([{ source: 1, time: occurred_at, text: 'Tomorrow we ship.' }]);
});

test('spec 20 X6: the model sees the related entries and may revise one', async () => {
  const before = await remember('revise', 'Kafka runs with three brokers.');
  await remember('revise', 'Lunch is at noon.');
  await capture('revise', 'a', 'Kafka now runs with five brokers.');
  stub.respondWith(() => says({ op: 'revise', entry: 1, text: 'Kafka runs with five brokers.' }));
  await flush('revise');
  const prompt = JSON.stringify(stub.requests[0]?.body.messages);
  expect(prompt).toContain('Kafka runs with three brokers.');
  expect(prompt.replaceAll('\\', '')).toContain('"entry":1,"kind":"decision"');
  expect(prompt).not.toContain('Lunch is at noon.');
  const revised = (await entriesOf('revise')).find(({ version }) => version === 2);
  expect(revised).toMatchObject({ text: 'Kafka runs with five brokers.', source_refs: [{ source_id: 'a' }] });
  expect(revised?.citation.entry_id).toBe(before.body.entry?.citation.entry_id);
});

test('spec 20 X6: better matches in another Memory of the Scope keep no entry of the Scope Memory from the model', async () => {
  const scope_id = 'crowded';
  await remember(scope_id, 'The lab has three brokers besides its other machines.');
  const entries = Array.from({ length: 80 }, (_, index) => ({
    kind: 'fact',
    text: `Kafka runs with brokers: ${index}.`,
  }));
  expect((await artifactCalls(service).create(scope_id, entries)).status).toBe(201);
  await capture(scope_id, 'a', 'Kafka now runs with five brokers.');
  await flush(scope_id);
  const { known_entries } = JSON.parse(stub.requests[0]?.body.messages[1]?.content ?? '');
  expect(known_entries).toMatchObject([
    { entry: 1, text: 'The lab has three brokers besides its other machines.' },
  ]);
});

test('spec 20 F10: an entry that a caller revises during extraction is extracted again, and then the caller wins', async () => {
  const remembered = await remember('stale', 'Kafka runs with three brokers.');
  await capture('stale', 'a', 'Kafka now runs with five brokers.');
  let citation = remembered.body.entry?.citation;
  // Whenever the model thinks, the caller changes the entry before it answers.
  stub.respondWith(async (_request, index) => {
    if (citation === undefined) throw new Error('the caller lost the entry');
    const text = `Kafka brokers: the caller's word ${index}.`;
    const revise = { scope_id: 'stale', citation, kind: 'decision', text };
    citation = (await service.call('revise_memory_entry', { body: revise })).body.entry?.citation;
    return says({ op: 'revise', entry: 1, text: 'Kafka runs with five brokers.' });
  });
  const { body } = await flush('stale');
  expect(body).toMatchObject({ status: 'processed', current_cursor: 1 });
  expect(stub.requests).toHaveLength(3);
  expect((await entriesOf('stale')).map(({ text, version }) => [text, version])).toEqual([
    ["Kafka brokers: the caller's word 2.", 4],
  ]);
});

test('spec 20 F12: a Source that always fails is parked, and the flush of its Scope continues', async () => {
  const bad = 'We decided to break the model.';
  await capture('parked', 'good-1', 'We decided to use Kafka.');
  // The built-in extractor leaves the question out, so that only the Source itself holds the poison.
  await capture('parked', 'bad', `Is this poison? ${bad}`);
  await capture('parked', 'good-2', 'We decided to use Redis.');
  stub.respondWith(({ body }) =>
    JSON.stringify(body.messages).includes('poison')
      ? { content: 'not json' }
      : says({ text: 'A good window.' }),
  );
  const outcomes: number[] = [];
  await waitUntil(async () => {
    const reply = await flush('parked');
    outcomes.push(reply.status);
    return reply.status === 200 && reply.body.status === 'idle';
  });
  expect(outcomes.filter((status) => status === 503).length).toBeGreaterThanOrEqual(3);
  const entries = await entriesOf('parked');
  const parked = entries.find(({ text }) => text === bad);
  expect(parked).toMatchObject({ kind: 'decision', source_refs: [{ name: 'content', source_id: 'bad' }] });
  const rows = await query(service.databaseUrl, 'SELECT position::int, reason FROM parked_sources');
  expect(rows).toEqual([{ position: 2, reason: 'invalid_output' }]);
});

test('spec 20 T6: each answered call counts for its Scope, valid or not; a figure that one call did not report is null', async () => {
  const usage = { prompt_tokens: 120, completion_tokens: 30 };
  const used = async () => (await statsOf(service, exactly('counted'))).usage;
  await capture('counted', 'a', 'We use Kafka.');
  stub.respondWith(() => ({ ...says({ text: 'Kafka is used.' }), usage }));
  await flush('counted');
  const once = { requests: 1, input_tokens: 120, output_tokens: 30 };
  const embedding = { requests: 0, input_tokens: 0, output_tokens: 0 };
  const row = { generation: once, embedding };
  const first = await used();
  expect(first.totals).toEqual(row);
  expect(first.by_purpose).toEqual([{ purpose: 'memory_extraction', ...row }]);
  expect(first.daily).toEqual([{ date: first.period.end_date, ...row, by_purpose: first.by_purpose }]);

  await capture('counted', 'b', 'We use Redis.');
  stub.respondWith(() => ({ content: 'no json', usage }));
  expect((await flush('counted')).status).toBe(503);
  expect((await used()).totals.generation).toEqual({ requests: 2, input_tokens: 240, output_tokens: 60 });
  stub.respondWith(() => says({ text: 'Redis is used.' }));
  await flush('counted');
  expect((await used()).totals.generation).toEqual({ requests: 3, input_tokens: null, output_tokens: null });
});
