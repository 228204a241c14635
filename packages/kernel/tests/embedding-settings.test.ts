import { expect, test } from 'vitest';
import { loadSettings, SettingsError } from '../src/config/load.ts';

const whole = {
  INFERENCE_BASE_URL: 'http://127.0.0.1:1/v1',
  INFERENCE_EMBEDDING_MODEL: 'model',
  INFERENCE_EMBEDDING_PROFILE_ID: 'profile',
  INFERENCE_EMBEDDING_DIMENSION: '1536',
};

test('an embedding profile is a model, an id and a dimension together', () => {
  expect(loadSettings(whole)).toMatchObject({ INFERENCE_EMBEDDING_DIMENSION: 1536 });
  expect(loadSettings({}).INFERENCE_EMBEDDING_MODEL).toBeUndefined();
});

test.each(['INFERENCE_EMBEDDING_MODEL', 'INFERENCE_EMBEDDING_PROFILE_ID', 'INFERENCE_EMBEDDING_DIMENSION'])(
  'spec 20 §10: without %s the start fails with a sentence that names it',
  (name) => {
    const load = () => loadSettings({ ...whole, [name]: '' });
    expect(load).toThrow(SettingsError);
    expect(load).toThrow(new RegExp(`^${name} must be set together with INFERENCE_EMBEDDING_`));
  },
);

test('the embedding model needs an endpoint, of its own or shared', () => {
  const { INFERENCE_BASE_URL: url, ...rest } = whole;
  expect(() => loadSettings(rest)).toThrow(
    /^INFERENCE_BASE_URL must be set together with INFERENCE_EMBEDDING_MODEL/,
  );
  expect(() => loadSettings({ ...rest, INFERENCE_EMBEDDING_BASE_URL: url })).not.toThrow();
});

test.each(['0', '16001', '1.5', 'many'])('a dimension of %s is refused', (dimension) => {
  expect(() => loadSettings({ ...whole, INFERENCE_EMBEDDING_DIMENSION: dimension })).toThrow(
    /^INFERENCE_EMBEDDING_DIMENSION is invalid/,
  );
});

test('spec 20 S11: reranking needs a generation model', () => {
  expect(() => loadSettings({ MEMORY_RERANK_ENABLED: 'on' })).toThrow(
    /^INFERENCE_GENERATION_MODEL must be set if MEMORY_RERANK_ENABLED is on/,
  );
  expect(loadSettings({}).MEMORY_RERANK_ENABLED).toBe(false);
});

test('spec 26 S12: prefixes are kept as they are, up to 512 characters', () => {
  expect(loadSettings(whole)).toMatchObject({
    INFERENCE_EMBEDDING_QUERY_PREFIX: '',
    INFERENCE_EMBEDDING_PASSAGE_PREFIX: '',
  });
  expect(loadSettings({ INFERENCE_EMBEDDING_QUERY_PREFIX: 'query: ' })).toMatchObject({
    INFERENCE_EMBEDDING_QUERY_PREFIX: 'query: ',
  });
  expect(() => loadSettings({ INFERENCE_EMBEDDING_PASSAGE_PREFIX: 'p'.repeat(513) })).toThrow(
    /^INFERENCE_EMBEDDING_PASSAGE_PREFIX is invalid/,
  );
});

test('spec 26 S11: one reranker at most, and what an endpoint needs stands beside its address', () => {
  const url = 'http://127.0.0.1:1/rerank';
  const generation = { INFERENCE_BASE_URL: 'http://127.0.0.1:1/v1', INFERENCE_GENERATION_MODEL: 'model' };
  expect(loadSettings({ MEMORY_RERANK_URL: url })).toMatchObject({
    MEMORY_RERANK_FORMAT: 'cohere',
    MEMORY_RERANK_TIMEOUT_MS: 3_000,
  });
  const both = { ...generation, MEMORY_RERANK_ENABLED: 'on', MEMORY_RERANK_URL: url };
  expect(() => loadSettings(both)).toThrow(/^Only one of MEMORY_RERANK_ENABLED and MEMORY_RERANK_URL/);
  for (const name of ['MEMORY_RERANK_MODEL', 'MEMORY_RERANK_API_KEY'])
    expect(() => loadSettings({ [name]: 'given-value-0123' })).toThrow(
      new RegExp(`^MEMORY_RERANK_URL must be set together with ${name}`),
    );
  for (const wrong of ['rerank', 'ftp://host/rerank'])
    expect(() => loadSettings({ MEMORY_RERANK_URL: wrong })).toThrow(/^MEMORY_RERANK_URL is invalid/);
});
