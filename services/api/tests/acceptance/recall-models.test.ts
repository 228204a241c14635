import { embedAll, type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { projectEntries, prompts, unrelatedWords } from './support/recall-texts.ts';

const answer = 'The billing database runs on Postgres 16 since March.';
const question = 'Which Postgres version does the billing database run on?';

/** Long sentences, each of two. */
const filler = (seed: number): string => {
  const sentences = unrelatedWords(360, seed).map((sentence) => sentence.replace('.', ''));
  return sentences.map((sentence, index) => `${sentence}${index % 2 === 0 ? ', and' : '.'}`).join(' ');
};
const [before, after] = [filler(3), filler(7)];

/** The question among other sentences: all of them count (spec 25 Q1). */
const longPrompt = `${before} ${question} ${after}`;

/** About one for a word or a character of Chinese, as tokenizers of models count. */
const tokensOf = (text: string) => text.match(/\p{Script=Han}|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
const maxTokens = 512;

describe('spec 25 scenario 8: windows', () => {
  let stub: InferenceStub;
  let service: TestService;
  const scope_id = freshScope();
  const chineseFact = '计费数据库从三月起运行在十六版上。';
  const accepted: string[][] = [];

  beforeAll(async () => {
    stub = await startInferenceStub();
    service = await startService({ workers: true, environment: embeddingBy(stub) });
    for (const text of [answer, chineseFact, ...projectEntries.slice(1, 6)])
      await remember(service, scope_id, text);
    await untilEmbedded(service, scope_id, 7);
  });

  beforeEach(() => {
    accepted.length = 0;
    stub.embedWith((request, index) => {
      if (request.texts.some((text) => tokensOf(text) > maxTokens))
        return { status: 400, body: '{"error":{"message":"maximum context length exceeded"}}' };
      accepted.push(request.texts);
      return embedAll(request, index);
    });
  });

  afterAll(async () => {
    await service.stop();
    await stub.close();
  });

  const search = async (query: string, mode: 'auto' | 'hybrid') =>
    (await service.call('search_memory', { body: { scope_id, query, mode } })).body;

  test.each(['auto', 'hybrid'] as const)(
    'a model that refuses over 512 tokens answers a long prompt: %s',
    async (mode) => {
      expect(tokensOf(longPrompt)).toBeGreaterThan(maxTokens);
      const found = await search(longPrompt, mode);
      expect(found.mode).toBe('hybrid');
      expect(found.hits.map(({ text }) => text)).toContain(answer);
      // The prompt was embedded in windows, in one request that was accepted.
      expect(accepted).toHaveLength(1);
      expect(accepted[0]?.length).toBeGreaterThan(1);
    },
  );

  test('windows with more tokens than characters of English are tried in halves', async () => {
    const sentence = '我们今天讨论了很多别的事情，包括新的办公室和下周的安排。';
    const chinese = `${sentence.repeat(25)}计费数据库运行在哪个版本上？${sentence.repeat(25)}`;
    expect(chinese.length).toBeLessThanOrEqual(8_192);
    const found = await search(chinese, 'auto');
    expect(found.mode).toBe('hybrid');
    expect(found.hits.map(({ text }) => text)).toContain(chineseFact);
  });

  test.each([
    ['fails', () => ({ status: 503, body: '{}' })],
    ['refuses everything', () => ({ status: 400, body: '{}' })],
    ['answers no vectors', () => ({ status: 200, body: '{"data":[]}' })],
  ])('a model that %s gives words in auto', async (_what, respond) => {
    stub.embedWith(respond);
    const found = await search(longPrompt, 'auto');
    expect(found.mode).toBe('fts');
    expect(found.hits.map(({ text }) => text)).toContain(answer);
    const { body } = await service.call('prepare_context', { body: { scope_id, query: longPrompt } });
    expect(body.content).toContain(answer);
  });
});

describe('spec 25 scenario 9: a long prompt with a reranker', () => {
  let stub: InferenceStub;
  let service: TestService;
  const scope_id = freshScope();

  beforeAll(async () => {
    stub = await startInferenceStub();
    stub.respondWith(() => ({ content: '{"numbers":[1]}' }));
    service = await startService({
      environment: {
        INFERENCE_GENERATION_MODEL: 'stub',
        INFERENCE_BASE_URL: stub.url,
        MEMORY_RERANK_ENABLED: 'on',
      },
    });
    const entries = projectEntries.map((text) => ({ kind: 'fact', text }));
    await service.call('create_artifact', {
      params: { scope_id },
      body: { family: 'memory', content: { entries } },
    });
  });

  afterAll(async () => {
    await service.stop();
    await stub.close();
  });

  /** The query that the model was asked last. */
  const asked = (): string => {
    const content = stub.requests.at(-1)?.body.messages.at(-1)?.content;
    return JSON.parse(typeof content === 'string' ? content : '{}').query;
  };

  test.each([
    ['first', `${question} ${before} ${after}`],
    ['in the middle', longPrompt],
    ['last', `${before} ${after}\n${question}`],
    [
      'without a sentence end around it',
      longPrompt.replaceAll('. ', ' ').replace(question, `\n${question}\n`),
    ],
  ])('the model sees at most 1,000 characters, with the question in them: %s', async (_where, query) => {
    for (const ask of [
      () => service.call('search_memory', { body: { scope_id, query } }),
      () => service.call('prepare_context', { body: { scope_id, query } }),
    ]) {
      stub.requests.length = 0;
      expect((await ask()).status).toBe(200);
      expect(asked().length).toBeLessThanOrEqual(1_000);
      expect(asked()).toContain(question);
    }
  });

  test.each(prompts)('real prompts: $name', async ({ prompt }) => {
    stub.requests.length = 0;
    await service.call('search_memory', { body: { scope_id, query: prompt } });
    expect(asked().length).toBeLessThanOrEqual(1_000);
    for (const line of asked().split('\n')) expect(prompt.replaceAll('\n', ' ')).toContain(line.trim());
  });
});
