import type { EmbedRequest } from '@continuity/contract/embedder';
import { loadSettings } from '@continuity/kernel/config';
import { type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../src/inference/builtin-embedder.ts';
import { type Embedder, openEmbedder } from '../../src/inference/index.ts';

let stub: InferenceStub;
let embedder: Embedder;

const vectorOf = (value: number) => Array.from({ length: 384 }, (_, index) => (index === 0 ? value : 0));

beforeAll(async () => {
  stub = await startInferenceStub();
  embedder = embedderWithin(60_000);
});

const embedderWithin = (timeoutMs: number) =>
  createBuiltinEmbedder({ url: stub.url.replace(/v1$/, ''), timeoutMs });

beforeEach(() => {
  stub.embeddings.length = 0;
  stub.embedWith(({ texts }) => ({ vectors: texts.map((text) => vectorOf(Number(text) || 1)) }));
});

afterAll(() => stub.close());

test('spec 26 S14: texts are embedded in small requests, in their order, and are not counted', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => String(index + 1));
  const { vectors, usage } = await embedder.embed(texts, 'passage');
  expect(vectors).toHaveLength(40);
  expect(vectors.every((vector) => vector?.[0] === 1)).toBe(true);
  expect(usage).toBeNull();
  const sent: EmbedRequest['input'][] = stub.embeddings.map(({ texts }) => texts);
  expect(sent.map(({ length }) => length)).toEqual([16, 16, 8]);
  expect(sent.flat()).toEqual(texts);
});

/** A unit vector whose component `at` is 1. */
const axis = (at: number): number[] => Array.from({ length: 384 }, (_, place) => Number(place === at));

test('spec 26 S14: entries of which a request times out are sent again by halves, and a query is not', async () => {
  let limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    limit = new AbortController();
    return limit.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  stub.embedWith(({ texts }) => {
    if (texts.length <= 2) return { vectors: texts.map((text) => axis(Number(text))) };
    // The time limit ends once the request is known.
    limit.abort();
    return { hang: true };
  });
  const slow = embedderWithin(1_000);
  const texts = ['1', '2', '3', '4', '5'];
  await expect(slow.embed(texts, 'query')).rejects.toMatchObject({ reason: 'timeout' });
  const { vectors } = await slow.embed(texts, 'passage');
  expect(vectors.map((vector) => vector?.indexOf(1))).toEqual([1, 2, 3, 4, 5]);
  const sent = stub.embeddings.map(({ texts }) => texts);
  expect(sent.slice(0, 4)).toEqual([texts, texts, ['1', '2', '3'], ['1', '2']]);
  expect([...new Set(sent.flat())]).toEqual(texts);
  expect(new Set(timeout.mock.calls.flat())).toEqual(new Set([1_000]));
  const aborted = slow.embed(texts, 'passage', AbortSignal.abort());
  await expect(aborted).rejects.toMatchObject({ reason: 'timeout' });
});

test('spec 26 S14: the first 8,192 bytes of a text are sent, in whole characters', async () => {
  await embedder.embed(
    ['é'.repeat(5_000), '据'.repeat(5_000), 'a'.repeat(8_192), 'x\ud800'.repeat(3_000)],
    'query',
  );
  const sizes = stub.embeddings.flatMap(({ texts }) => texts.map((text) => Buffer.byteLength(text)));
  expect(sizes).toEqual([8_192, 8_190, 8_192, 8_192]);
  const [cut] = stub.embeddings.flatMap(({ texts }) => texts.slice(1));
  expect(cut).toBe('据'.repeat(2_730));
});

test.each([
  ['an outage', { status: 503, body: '{}' }, 'unreachable'],
  ['a refusal', { status: 422, body: '{}' }, 'refused'],
  ['HTML', { status: 200, body: '<html>' }, 'invalid_output'],
  ['another program', { status: 200, body: '{"data":[{"embedding":"AAAA"}]}' }, 'invalid_output'],
  ['too few vectors', { status: 200, body: '{"data":[]}' }, 'invalid_output'],
  ['null', { status: 200, body: 'null' }, 'invalid_output'],
  ['silence', { hang: true as const }, 'timeout'],
])('%s is a failure as of an endpoint', async (_what, answer, reason) => {
  stub.embedWith(() => answer);
  const asked = reason === 'timeout' ? embedderWithin(200) : embedder;
  await expect(asked.embed(['text'], 'query')).rejects.toMatchObject({ reason });
});

test('a closed port is an outage, and a vector of another dimension no vector', async () => {
  const gone = createBuiltinEmbedder({ url: 'http://127.0.0.1:9', timeoutMs: 60_000 });
  await expect(gone.embed(['text'], 'query')).rejects.toMatchObject({ reason: 'unreachable' });
  stub.embedWith(() => ({ vectors: [[1, 2]] }));
  expect((await embedder.embed(['text'], 'query')).vectors).toEqual([null]);
});

test('spec 26 S14: a configured model goes before the built-in one, and off is off', () => {
  const metrics = { recordModelRequest: () => {}, recordModelTokens: () => {} } as never;
  const profileOf = (environment: Record<string, string>) =>
    openEmbedder(loadSettings(environment), metrics)?.profile.profileId;
  const url = { EMBEDDER_URL: 'http://127.0.0.1:1' };
  const model = {
    INFERENCE_BASE_URL: 'http://127.0.0.1:2/v1',
    INFERENCE_EMBEDDING_MODEL: 'm',
    INFERENCE_EMBEDDING_PROFILE_ID: 'own',
    INFERENCE_EMBEDDING_DIMENSION: '8',
  };
  expect(profileOf({})).toBeUndefined();
  expect(profileOf(url)).toBe('builtin:1');
  expect(profileOf({ ...url, EMBEDDER: 'off' })).toBeUndefined();
  expect(profileOf({ ...url, ...model })).toBe('own');
  expect(() => loadSettings({ EMBEDDER_URL: 'ftp://host' })).toThrow(/^EMBEDDER_URL is invalid/);
  expect(() => loadSettings({ EMBEDDER_THREADS: '17' })).toThrow(/^EMBEDDER_THREADS is invalid/);
});
