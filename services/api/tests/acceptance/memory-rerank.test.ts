import { type InferenceStub, type StubAnswer, startInferenceStub, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';

let stub: InferenceStub;
let service: TestService;

const scope_id = 'reranked';
const count = 5;

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({
    environment: {
      INFERENCE_GENERATION_MODEL: 'stub',
      INFERENCE_BASE_URL: stub.url,
      MEMORY_RERANK_ENABLED: 'on',
      MEMORY_RERANK_CANDIDATE_LIMIT: '4',
    },
  });
  for (let index = 0; index < count; index += 1)
    await remember(service, scope_id, `Kettle ${'again '.repeat(index)}${index}`);
});

beforeEach(() => {
  stub.requests.length = 0;
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

const search = (limit: number) =>
  service.call('search_memory', { body: { scope_id, query: 'kettle', limit } });
const says = (answer: StubAnswer) => stub.respondWith(() => answer);
const numbers = (...list: unknown[]): StubAnswer => ({ content: JSON.stringify({ numbers: list }) });

async function fused(limit: number) {
  says(numbers());
  return (await search(limit)).body.hits;
}

test('spec 20 S11: the model orders the pool; hits that it omits are dropped, and scores stay', async () => {
  const before = await fused(4);
  says(numbers(3, 1));
  const { hits } = (await search(2)).body;
  expect(hits).toEqual([before[2], before[0]]);
  says(numbers(2));
  expect((await search(3)).body.hits).toEqual([before[1]]);
  says(numbers(4, 3, 2, 1));
  expect((await search(2)).body.hits).toEqual([before[3], before[2]]);
});

test('spec 20 S11: numbers that are out of range or repeated are dropped', async () => {
  const before = await fused(5);
  says(numbers(0, 9, 2, 2, 1.5, -1, 1));
  expect((await search(5)).body.hits).toEqual([before[1], before[0]]);
});

test.each([
  ['no number', numbers()],
  ['no valid number', numbers(0, 77)],
  ['no JSON', { content: 'I like the first.' }],
])('spec 20 S11: with %s the fused order holds', async (_what, answer) => {
  const before = await fused(3);
  says(answer);
  expect((await search(3)).body.hits).toEqual(before);
});

test('spec 20 S11: the model gets the best hits, as many as the pool or the limit, at temperature 0', async () => {
  await fused(2);
  await fused(5);
  const seen = stub.requests.map(({ body }) => {
    const prompt = body.messages.at(-1)?.content;
    const { texts } = JSON.parse(typeof prompt === 'string' ? prompt : JSON.stringify(prompt));
    return { temperature: body.temperature, texts: texts.length };
  });
  expect(seen).toEqual([
    { temperature: 0, texts: 4 },
    { temperature: 0, texts: 5 },
  ]);
});

test('spec 20 S11: a model that does not answer is 503 for a search, and the fused order for a preparation', async () => {
  says({ hang: true });
  const impatient = await startSecondGateway({
    ...service,
    settings: { ...service.settings, INFERENCE_GENERATION_TIMEOUT_MS: 400 },
  });
  const late = await impatient.call('search_memory', { body: { scope_id, query: 'kettle', limit: 3 } });
  expect(late).toMatchObject({ status: 503, error: { code: 'inference_timeout' } });
  await impatient.stop();
  says({ status: 500, body: '{}' });
  expect(await search(3)).toMatchObject({ status: 503, error: { code: 'inference_unavailable' } });
  const { body } = await service.call('prepare_context', { body: { scope_id, query: 'kettle' } });
  expect(body.status).toBe('ready');
});

test('spec 20 P3: preparations that wait for the model hold no database connection', async () => {
  const answer = Promise.withResolvers<StubAnswer>();
  stub.respondWith(() => answer.promise);
  const settings = { ...service.settings, DATABASE_POOL_SIZE: 1 };
  const narrow = await startSecondGateway({ ...service, settings });
  const prepared = [1, 2, 3].map(() =>
    narrow.call('prepare_context', { body: { scope_id, query: 'kettle' } }),
  );
  await waitUntil(() => stub.requests.length === 3);
  const { body: list } = await narrow.call('list_memory_entries', { body: { scope_id } });
  expect(list.entries).toHaveLength(count);
  answer.resolve(numbers(1));
  for (const { body } of await Promise.all(prepared)) expect(body.status).toBe('ready');
  await narrow.stop();
});

test('a search without hits asks no model', async () => {
  const { body } = await service.call('search_memory', { body: { scope_id, query: 'xylophone' } });
  expect(body.hits).toEqual([]);
  expect(stub.requests).toEqual([]);
});

test('spec 60 §3.2: an explanation has the place of each entry before the reranker, and what it dropped', async () => {
  const before = await fused(4);
  says(numbers(3, 1));
  const dropped = before[1]?.citation.entry_id ?? '';
  const { body } = await service.call('explain_context', {
    body: {
      scope_id,
      query: 'kettle',
      subjects: [{ kind: 'memory', scope_id, artifact_id: 'memory', entry_id: dropped }],
    },
  });
  expect(body.scopes[0]).toMatchObject({ reranked: true, memory_hits: 2 });
  expect(
    body.items.map(({ citation, rank, rank_before_reranker }) => [citation, rank, rank_before_reranker]),
  ).toEqual([
    [before[2]?.citation, 1, 3],
    [before[0]?.citation, 2, 1],
  ]);
  expect(body.subjects[0]).toMatchObject({ outcome: 'outranked', last_score: body.items[1]?.score });
  says({ status: 503, content: '' });
  const fallen = await service.call('explain_context', { body: { scope_id, query: 'kettle' } });
  expect(fallen.body.scopes[0]?.reranked).toBe(false);
  expect(fallen.body.items[0]).toMatchObject({ rank: 1, rank_before_reranker: null });
});
