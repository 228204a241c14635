import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';

/** What the reranker answers: a status and a body, or nothing. */
type Answer = { status?: number; body: string } | 'hang';

interface Asked {
  query: string;
  documents?: string[];
  texts?: string[];
  [field: string]: unknown;
}

let reranker: Server;
let service: TestService;
let answerTo: (asked: Asked) => Answer;
const asked: { body: Asked; headers: IncomingMessage['headers'] }[] = [];

const scope_id = 'reranked by an endpoint';
const key = 'rerank-key-0123';
const question = 'kettle again';

beforeAll(async () => {
  reranker = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
    asked.push({ body, headers: request.headers });
    const answer = answerTo(body);
    if (answer === 'hang') return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body);
  });
  reranker.listen(0, '127.0.0.1');
  await once(reranker, 'listening');
  service = await startService({
    environment: {
      MEMORY_RERANK_URL: urlOf(),
      MEMORY_RERANK_MODEL: 'ranker-1',
      MEMORY_RERANK_API_KEY: key,
      // A busy machine may delay any answer.
      MEMORY_RERANK_TIMEOUT_MS: '60000',
    },
  });
  for (let index = 0; index < 60; index += 1)
    await remember(service, scope_id, `Kettle ${'again '.repeat(index % 6)}${index}`);
});

beforeEach(() => {
  asked.length = 0;
});

afterAll(async () => {
  await service.stop();
  reranker.closeAllConnections();
  reranker.close();
});

const urlOf = () => `http://127.0.0.1:${(reranker.address() as AddressInfo).port}/rerank`;
const search = (limit: number) =>
  service.call('search_memory', { body: { scope_id, query: 'kettle', limit } });
const textsOf = ({ documents, texts }: Asked): string[] => documents ?? texts ?? [];
const says = (items: unknown, wrap: (items: unknown) => unknown = (results) => ({ results })) => {
  answerTo = () => ({ body: JSON.stringify(wrap(items)) });
};

/** The hits of the first stage: a reranker that scores all alike changes nothing. */
async function firstStage(limit: number) {
  answerTo = (body) => ({
    body: JSON.stringify(textsOf(body).map((_text, index) => ({ index, score: 0.5 }))),
  });
  return (await search(limit)).body.hits;
}

/** Expects that a gateway refuses to search with this code, and prepares a context without the reranker. */
async function expectFirstStageOnly(gateway: Client, code: string) {
  const body = { scope_id, query: 'kettle' };
  const failed = await gateway.call('search_memory', { body: { ...body, limit: 5 } });
  expect(failed).toMatchObject({ status: 503, error: { code } });
  expect(JSON.stringify(failed.error)).not.toMatch(/127\.0\.0\.1|rerank-key|Not here/);
  expect((await gateway.call('prepare_context', { body })).body.status).toBe('ready');
}

/** The score that spec 26 S11 says, for the scaled scores of the reranker by text. */
function expectedOrder(hits: { text: string; score: number }[], scaled: (text: string) => number) {
  const sums = hits.map(({ text, score }) => ({ text, score: 0.5 * score + 0.5 * scaled(text) }));
  const largest = Math.max(...sums.map(({ score }) => score));
  return sums
    .map(({ text, score }) => ({ text, score: score / largest }))
    .sort((one, other) => other.score - one.score);
}

const namesAndScores = (hits: { text: string; score: number }[]) =>
  hits.map(({ text, score }) => ({ text, score }));

describe('spec 26 scenario 47', () => {
  const forms: [string, (items: unknown) => unknown, string][] = [
    ['an array of scores', (items) => items, 'score'],
    [
      'results of relevance scores',
      (results) => ({ results, meta: { tokens: { input_tokens: 7 } } }),
      'relevance_score',
    ],
    [
      'data of relevance scores',
      (data) => ({ object: 'list', data, usage: { total_tokens: 9 } }),
      'relevance_score',
    ],
  ];

  test.each(forms)('%s in another order are fused with the first stage', async (_what, wrap, field) => {
    const before = await firstStage(50);
    const liked = before.at(-1)?.text ?? '';
    answerTo = (body) => {
      const items = textsOf(body).map((text, index) => ({ index, [field]: text === liked ? 8 : -2 }));
      return { body: JSON.stringify(wrap(items.reverse())) };
    };
    const { hits } = (await search(10)).body;
    const expected = expectedOrder(before, (text) => (text === liked ? 1 : 0)).slice(0, 10);
    expect(namesAndScores(hits)).toEqual(expected);
    expect(hits[0]?.text).toBe(liked);
  });

  test('repeated and foreign indexes and NaN are dropped, and a hit without a score gets the lowest', async () => {
    const before = await firstStage(50);
    const items = [
      { index: 2, relevance_score: 0.9 },
      { index: 2, relevance_score: -5 },
      { index: 1, relevance_score: 0.4 },
      { index: 99, relevance_score: 7 },
      { index: -1, relevance_score: 7 },
      { index: 0.5, relevance_score: 7 },
      { index: 3, relevance_score: null },
      { index: '4', relevance_score: 7 },
      null,
      'index',
    ];
    says(items);
    const { hits } = (await search(5)).body;
    const third = before[2]?.text;
    const expected = expectedOrder(before, (text) => (text === third ? 1 : 0));
    expect(namesAndScores(hits)).toEqual(expected.slice(0, 5));
  });

  test.each([
    ['HTML', { body: '<html><body>Not here</body></html>' }],
    ['no score', { body: '{"results":[{"index":0,"relevance_score":null}]}' }],
    ['another form', { body: '{"ranking":[1,2]}' }],
    ['null', { body: 'null' }],
    ['10 MB', { body: `{"results":[{"index":0,"relevance_score":1}],"more":"${'x'.repeat(10_000_000)}"}` }],
    ['a status of 500', { status: 500, body: '{}' }],
    ['a status of 429', { status: 429, body: '{}' }],
  ] as const)('%s is 503 for a search, and the first stage for a preparation', async (_what, answer) => {
    answerTo = () => answer;
    await expectFirstStageOnly(service, 'inference_unavailable');
  });

  test('nothing for longer than the time limit is 503 for a search, and the first stage for a preparation', async () => {
    const settings = { ...service.settings, MEMORY_RERANK_TIMEOUT_MS: 600 };
    const impatient = await startSecondGateway({ ...service, settings });
    answerTo = () => 'hang';
    await expectFirstStageOnly(impatient, 'inference_timeout');
    await impatient.stop();
  });

  test('a closed port is 503 for a search, and the first stage for a preparation', async () => {
    const closed = await startSecondGateway({
      ...service,
      settings: { ...service.settings, MEMORY_RERANK_URL: 'http://127.0.0.1:1/rerank' },
    });
    await expectFirstStageOnly(closed, 'inference_unavailable');
    await closed.stop();
  });

  test('an array of 50 texts is sent once a Scope, with the model, the key and the question', async () => {
    await firstStage(5);
    answerTo = (body) => ({
      body: JSON.stringify(textsOf(body).map((_text, index) => ({ index, score: index }))),
    });
    asked.length = 0;
    const { body } = await service.call('search_memory', { body: { scope_id, query: question, limit: 3 } });
    expect(body.hits).toHaveLength(3);
    expect(asked).toHaveLength(1);
    const { documents, ...rest } = asked[0]?.body ?? { query: '' };
    expect(documents).toHaveLength(50);
    expect(rest).toEqual({ model: 'ranker-1', query: question, top_n: 50, return_documents: false });
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test('the format of Text Embeddings Inference', async () => {
    const settings = {
      ...service.settings,
      MEMORY_RERANK_FORMAT: 'tei' as const,
      MEMORY_RERANK_CANDIDATE_LIMIT: 4,
    };
    const tei = await startSecondGateway({ ...service, settings });
    answerTo = (body) => ({
      body: JSON.stringify(textsOf(body).map((_text, index) => ({ index, score: 0.1 }))),
    });
    await tei.call('search_memory', { body: { scope_id, query: 'kettle', limit: 3 } });
    await tei.stop();
    const { texts, ...rest } = asked[0]?.body ?? { query: '' };
    expect(texts).toHaveLength(4);
    expect(rest).toEqual({ query: 'kettle', raw_scores: false, truncate: true });
  });
});

test('spec 26 S11: a text is sent in its first 2,000 characters, and its tokens are counted', async () => {
  const long = 'reranked at length';
  await remember(service, long, `Kettle ${'é'.repeat(3_000)}`);
  await remember(service, long, 'Kettle short');
  says([{ index: 0, relevance_score: 1 }], (results) => ({ results, usage: { total_tokens: 41 } }));
  await service.call('search_memory', { body: { scope_id: long, query: 'kettle' } });
  const lengths = textsOf(asked[0]?.body ?? { query: '' }).map((text) => text.length);
  expect(lengths.sort((one, other) => one - other)).toEqual([12, 2_000]);
  const used = async () => {
    const selection = { mode: 'exact' as const, scope_ids: [long] };
    const { body } = await service.call('get_stats', { body: { selection, period: 'today' } });
    return body.usage.by_purpose.find(({ purpose }) => purpose === 'memory_recall')?.generation;
  };
  await waitUntil(async () => (await used())?.requests === 1);
  expect(await used()).toMatchObject({ requests: 1, input_tokens: 41 });
});
