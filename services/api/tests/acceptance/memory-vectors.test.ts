import {
  type CallInput,
  embedAll,
  type InferenceStub,
  startInferenceStub,
  waitUntil,
} from '@continuity/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenVectors, embeddingBy, untilEmbedded, vectorsOf } from '../support/embedding.ts';
import { freshScope, race, remember, retire, withoutNeighbors } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let stub: InferenceStub;
let service: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({
    workers: true,
    environment: embeddingBy(stub),
  });
});

beforeEach(() => stub.embedWith(embedAll));

afterEach(async () => {
  await waitUntil(async () => (await brokenVectors(service)).length === 0);
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

type SearchBody = NonNullable<CallInput<'search_memory'>['body']>;

const search = async (body: SearchBody) => (await service.call('search_memory', { body })).body;
const down = () => ({ status: 503, body: '{"error":{"message":"overloaded"}}' });
const cite = (citation: Awaited<ReturnType<typeof remember>>['entry']['citation']) => ({ ...citation });

async function revise(scope_id: string, entry: Awaited<ReturnType<typeof remember>>['entry'], text: string) {
  const { body } = await service.call('revise_memory_entry', {
    body: { scope_id, citation: cite(entry.citation), kind: 'fact', text },
  });
  if (body.entry === null) throw new Error('A revise answered without its entry.');
  return body.entry;
}

test('spec 20 S12: an entry without a word of the query is found by meaning after a worker has embedded it', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'The physician bought an automobile.');
  await remember(service, scope_id, 'Nobody waters these plants.');
  await untilEmbedded(service, scope_id, 2);
  const lexical = await search({ scope_id, query: 'car', mode: 'fts' });
  expect(lexical).toMatchObject({ mode: 'fts', hits: [] });
  for (const mode of ['vector', 'hybrid', 'auto'] as const) {
    const found = await search({ scope_id, query: 'car', mode });
    expect(found.mode).toBe(mode === 'auto' ? 'hybrid' : mode);
    expect(found.hits).toMatchObject([
      {
        citation: { entry_id: entry.citation.entry_id },
        matched_by: ['vector'],
        score: 1,
      },
    ]);
  }
});

test('spec 20 S10: hybrid is half of each channel score, less for few of the words, and names the channels that admitted a hit', async () => {
  const scope_id = freshScope();
  const texts = ['The car is red', 'Automobile parts', 'A red balloon'];
  for (const text of texts) await remember(service, scope_id, text);
  await untilEmbedded(service, scope_id, 3);
  await withoutNeighbors(service, scope_id);
  const hybrid = await search({ scope_id, query: 'red car', mode: 'hybrid' });
  const scores = new Map<string, number>();
  for (const mode of ['fts', 'vector'] as const) {
    const { hits } = await search({ scope_id, query: 'red car', mode });
    expect(hits[0]?.score).toBe(1);
    for (const { text, score } of hits) scores.set(text, (scores.get(text) ?? 0) + 0.5 * score);
  }
  // Each of these was admitted by both channels or has no score in the other one.
  expect(hybrid.hits.map(({ text }) => text).toSorted()).toEqual([...scores.keys()].toSorted());
  for (const { text, score } of hybrid.hits) {
    const both = scores.get(text) ?? 0;
    // The commoner one of two words is less than half of the question.
    if (text === 'A red balloon') expect(score).toBeLessThan(both);
    else expect(score).toBeGreaterThanOrEqual(both - 1e-9);
  }
  expect(hybrid.hits.map(({ score }) => score)).toEqual(
    hybrid.hits.map(({ score }) => score).toSorted((a, b) => b - a),
  );
  expect(hybrid.hits[0]).toMatchObject({
    text: 'The car is red',
    matched_by: ['fts', 'vector'],
    score: 1,
  });
  expect(hybrid.hits.find(({ text }) => text.startsWith('Auto'))).toMatchObject({ matched_by: ['vector'] });
});

test('spec 20 scenario 27: with the endpoint down auto is lexical, hybrid is 503, remember works, and all is found later', async () => {
  const scope_id = freshScope();
  expect((await service.call('get_capabilities')).body.search_modes).toEqual([
    'auto',
    'fts',
    'vector',
    'hybrid',
  ]);
  await remember(service, scope_id, 'The first dwelling is blue.');
  await untilEmbedded(service, scope_id, 1);
  stub.embedWith(down);
  const { entry } = await remember(service, scope_id, 'The vehicle is in the yard.');
  expect(await search({ scope_id, query: 'yard' })).toMatchObject({
    mode: 'fts',
    hits: [{ citation: entry.citation }],
  });
  for (const mode of ['hybrid', 'vector'] as const) {
    const reply = await service.call('search_memory', { body: { scope_id, query: 'yard', mode } });
    expect(reply).toMatchObject({
      status: 503,
      error: { code: 'inference_unavailable', details: { reason: 'unreachable' } },
    });
    expect(reply.headers.get('retry-after')).not.toBeNull();
  }
  stub.embedWith(embedAll);
  await untilEmbedded(service, scope_id, 2);
  const found = await search({ scope_id, query: 'automobile', mode: 'vector' });
  expect(found.hits).toMatchObject([{ citation: { entry_id: entry.citation.entry_id } }]);
});

test('spec 20 S4: a slow endpoint is 503 inference_timeout, and auto searches by words', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'The pump is loud.');
  await untilEmbedded(service, scope_id, 1);
  const impatient = await startSecondGateway({
    ...service,
    settings: { ...service.settings, INFERENCE_EMBEDDING_TIMEOUT_MS: 500 },
  });
  stub.embedWith(() => ({ hang: true }));
  const ask = (mode: 'vector' | 'auto') =>
    impatient.call('search_memory', { body: { scope_id, query: 'pump', mode } });
  expect(await ask('vector')).toMatchObject({ status: 503, error: { code: 'inference_timeout' } });
  expect((await ask('auto')).body).toMatchObject({ mode: 'fts', hits: [{}] });
  await impatient.stop();
});

describe('spec 25 Q8: a prompt of several windows whose embedding fails is searched by its words', () => {
  /** The windows of a prompt that the endpoint was asked for, by request. */
  const requestsOf = (name: string): string[][] =>
    stub.embeddings.map(({ texts }) => texts).filter(([first]) => first?.startsWith(name));

  async function ask(
    name: string,
    service: Parameters<typeof remember>[0],
    mode: 'auto' | 'hybrid' = 'auto',
  ) {
    const scope_id = freshScope();
    await remember(service, scope_id, 'The pump is loud.');
    const filler = Array.from({ length: 60 }, (_, at) => `Sentence ${at} is about something else entirely.`);
    const query = `${name} begins. ${filler.join(' ')} Why is the pump so loud?`;
    return await service.call('search_memory', { body: { scope_id, query, mode } });
  }
  const byWords = { status: 200, body: { mode: 'fts', hits: [{ text: 'The pump is loud.' }] } };

  test('a model that refuses: the windows and their halves, no further request', async () => {
    stub.embedWith(() => ({ status: 400, body: '{"error":{"message":"too long"}}' }));
    expect(await ask('Refused', service)).toMatchObject(byWords);
    const [windows = [], halves = [], ...more] = requestsOf('Refused');
    expect(windows.length).toBeGreaterThan(1);
    expect(halves).toHaveLength(2 * windows.length);
    expect(more).toEqual([]);
    expect(await ask('Refused too', service, 'hybrid')).toMatchObject({
      status: 503,
      error: { code: 'inference_unavailable' },
    });
  });

  test('a model that hangs: one request for all windows, up to its time limit', async () => {
    const settings = { ...service.settings, INFERENCE_EMBEDDING_TIMEOUT_MS: 500 };
    const impatient = await startSecondGateway({ ...service, settings });
    stub.embedWith(() => ({ hang: true }));
    expect(await ask('Hanging', impatient)).toMatchObject(byWords);
    expect(requestsOf('Hanging')).toHaveLength(1);
    await impatient.stop();
  });

  test('a model that answers 10 MB', async () => {
    stub.embedWith(() => ({ status: 200, body: `{"data":[],"padding":"${'x'.repeat(10_000_000)}"}` }));
    expect(await ask('Long', service)).toMatchObject(byWords);
    expect(await ask('Long too', service, 'hybrid')).toMatchObject({
      status: 503,
      error: { code: 'inference_unavailable', details: { reason: 'invalid_output' } },
    });
  });
});

test.each([
  ['another dimension', [[1, 2, 3]]],
  ['no length', [Array.from({ length: 64 }, () => 0)]],
  ['what is no number', [Array.from({ length: 64 }, () => null)]],
])('spec 20 S9: a query vector with %s is a failed embedding', async (_what, vectors) => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'The pump is loud.');
  await untilEmbedded(service, scope_id, 1);
  stub.embedWith(() => ({ vectors }));
  const reply = await service.call('search_memory', { body: { scope_id, query: 'pump', mode: 'hybrid' } });
  expect(reply).toMatchObject({
    status: 503,
    error: { code: 'inference_unavailable', details: { reason: 'invalid_output' } },
  });
  expect(await search({ scope_id, query: 'pump' })).toMatchObject({ mode: 'fts' });
});

test('spec 20 S4: auto is lexical if more than 5 % of the entries lack a vector, else hybrid', async () => {
  const scope_id = freshScope();
  stub.embedWith((request, index) =>
    request.texts.some((text) => text.includes('unspeakable'))
      ? { status: 400, body: '{"error":{"message":"no"}}' }
      : embedAll(request, index),
  );
  const { entry } = await remember(service, scope_id, 'The unspeakable word.');
  for (let index = 0; index < 18; index += 1)
    await remember(service, scope_id, `Plain sentence number ${index}`);
  await untilEmbedded(service, scope_id, 18);
  expect(await search({ scope_id, query: 'sentence' })).toMatchObject({ mode: 'fts' });
  const partly = await search({ scope_id, query: 'plain sentence', mode: 'hybrid', limit: 50 });
  expect(partly).toMatchObject({ mode: 'hybrid' });
  await remember(service, scope_id, 'One that makes it nineteen in twenty');
  await untilEmbedded(service, scope_id, 19);
  expect(await search({ scope_id, query: 'sentence' })).toMatchObject({ mode: 'hybrid' });
  expect(await search({ scope_id, query: 'unspeakable' })).toMatchObject({
    hits: [{ citation: { entry_id: entry.citation.entry_id }, matched_by: ['fts'] }],
  });
});

test('spec 20 S1, S12: a revised text is found by its new meaning only, a retired one never, a reactivated one again', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'A word on the doctor');
  await untilEmbedded(service, scope_id, 1);
  const revised = await revise(scope_id, entry, 'A word on the car');
  expect((await search({ scope_id, query: 'medic', mode: 'vector' })).hits).toEqual([]);
  await untilEmbedded(service, scope_id, 1);
  expect((await search({ scope_id, query: 'medic', mode: 'vector' })).hits).toEqual([]);
  expect((await search({ scope_id, query: 'vehicle', mode: 'vector' })).hits).toMatchObject([
    { citation: revised.citation },
  ]);
  await retire(service, scope_id, revised.citation);
  expect((await search({ scope_id, query: 'vehicle', mode: 'vector' })).hits).toEqual([]);
  expect(await vectorsOf(service, scope_id)).toEqual({});
  await remember(service, scope_id, 'A word on the car');
  await untilEmbedded(service, scope_id, 1);
  expect((await search({ scope_id, query: 'vehicle', mode: 'vector' })).hits).toMatchObject([
    { citation: { entry_id: entry.citation.entry_id } },
  ]);
});

test('spec 20 S12: writers that race with the worker leave no stale and no missing vector', async () => {
  const scope_id = freshScope();
  await race(30, async (index) => {
    const { entry } = await remember(service, scope_id, `Racing sentence ${index}`);
    if (index % 3 === 0) await retire(service, scope_id, entry.citation).catch(() => undefined);
  });
  const { body } = await service.call('list_memory_entries', { body: { scope_id } });
  await untilEmbedded(service, scope_id, body.entries.length);
  expect(await brokenVectors(service)).toEqual([]);
});

test('spec 20 S12: a text that the endpoint never takes is set apart, and the others of its batch are embedded', async () => {
  const scope_id = freshScope();
  stub.embedWith((request, index) =>
    request.texts.some((text) => text.includes('poison'))
      ? { status: 400, body: '{"error":{"message":"no"}}' }
      : embedAll(request, index),
  );
  await race(12, (index) =>
    remember(service, scope_id, index === 5 ? 'poison pill' : `Healthy text ${index}`),
  );
  await untilEmbedded(service, scope_id, 11);
  // The text alone may be tried after all others are stored.
  const failed = await waitUntil(async () => {
    const rows = await query<{ failures: number; reason: string }>(
      service.databaseUrl,
      `SELECT failures, reason FROM failed_embeddings JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1`,
      [scope_id],
    );
    return rows.length > 0 && rows;
  });
  expect(failed).toEqual([{ failures: 1, reason: 'refused' }]);
  stub.embedWith(embedAll);
  await untilEmbedded(service, scope_id, 12);
});

test('spec 20 scenario 28: vectors of another Scope are never found, however near', async () => {
  const [mine, other] = [freshScope(), freshScope()];
  await remember(service, mine, 'Nothing of interest');
  await remember(service, other, 'The car is red');
  await untilEmbedded(service, mine, 1);
  await untilEmbedded(service, other, 1);
  expect((await search({ scope_id: mine, query: 'The car is red', mode: 'vector' })).hits).toEqual([]);
});

test('spec 20 S3: a Scope without Memory has no mode', async () => {
  for (const mode of ['auto', 'vector', 'hybrid'] as const)
    expect(await search({ scope_id: freshScope(), query: 'car', mode })).toEqual({
      memory: null,
      mode: null,
      hits: [],
      reason: 'no_memory',
    });
});

test('spec 20 T6: calls of the model are counted for the Scope that they served', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'Three little words');
  await untilEmbedded(service, scope_id, 1);
  await search({ scope_id, query: 'two words', mode: 'vector' });
  const rows = await query(
    service.databaseUrl,
    `SELECT purpose, operation, requests::int, input_tokens::int, output_tokens
     FROM model_usage_days JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1 ORDER BY purpose`,
    [scope_id],
  );
  expect(rows).toEqual([
    { purpose: 'memory_indexing', operation: 'embedding', requests: 1, input_tokens: 3, output_tokens: null },
    { purpose: 'memory_recall', operation: 'embedding', requests: 1, input_tokens: 2, output_tokens: null },
  ]);
});
