import { describe, expect, it, test } from 'vitest';
import { type Embedder, InferenceError } from '../../../src/inference/index.ts';
import { createQueryEmbedder } from '../../../src/memory/search/query-embedder.ts';
import { halvesOf, queryWindows } from '../../../src/memory/search/query-windows.ts';
import { questionFor } from '../../../src/memory/search/rerank.ts';
import { AnalyzedQuery } from '../../../src/search/index.ts';

const sentence = (place: number, words = 12): string =>
  `${Array.from({ length: words }, (_, index) => `Word${place}x${index}`).join(' ')}.`;
const prompt = (sentences: number): string =>
  Array.from({ length: sentences }, (_, at) => sentence(at)).join(' ');

describe('windows of a query (spec 25 Q8)', () => {
  it('embeds one segment as it is, whatever its length', () => {
    for (const text of ['which port', 'x '.repeat(4_000).trim()]) expect(queryWindows(text)).toEqual([text]);
  });

  it('embeds each of up to 8 segments by itself', () => {
    for (const sentences of [2, 8])
      expect(queryWindows(prompt(sentences))).toEqual(
        Array.from({ length: sentences }, (_, at) => sentence(at)),
      );
  });

  it('joins whole neighbors of more segments to windows of about equal length', () => {
    const windows = queryWindows(prompt(30));
    expect(windows.length).toBeGreaterThan(5);
    for (const window of windows) expect(window.split('\n').length).toBeLessThanOrEqual(6);
    expect(windows.join('\n').split('\n')).toEqual(Array.from({ length: 30 }, (_, at) => sentence(at)));
  });

  it('takes at most 8 of at most 1,000 characters, the first and the last among them', () => {
    const windows = queryWindows(prompt(300));
    expect(windows).toHaveLength(8);
    for (const window of windows) expect(window.length).toBeLessThanOrEqual(1_000);
    expect(windows[0]).toContain(sentence(0));
    expect(windows.at(-1)).toContain(sentence(299));
    expect(new Set(windows).size).toBe(8);
  });

  it('cuts text in halves at a space', () => {
    expect(halvesOf('alpha bravo charlie delta')).toEqual(['alpha bravo', 'charlie delta']);
    expect(halvesOf('x'.repeat(10)).join('')).toBe('x'.repeat(10));
    expect(halvesOf('😀😀😀').join('').isWellFormed()).toBe(true);
  });
});

/** An embedder that refuses a request with a text over `limit` characters. */
function embedderUpTo(limit: number, requests: string[][]): Embedder {
  return {
    profile: { profileId: 'p', model: 'm', dimension: 2 },
    embed: (texts) => {
      requests.push(texts);
      if (texts.some(({ length }) => length > limit))
        return Promise.reject(new InferenceError('refused', 'too long', 400));
      const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
      return Promise.resolve({ vectors: texts.map(() => Float32Array.of(1, 0)), usage });
    },
  };
}

test('spec 25 Q8: windows that a model refuses as too long are tried once more in halves', async () => {
  const requests: string[][] = [];
  const vector = await createQueryEmbedder(embedderUpTo(600, requests)).embedQuery(prompt(40));
  expect(requests).toHaveLength(2);
  expect(vector.windows).toHaveLength((requests[0]?.length ?? 0) * 2);
});

test('spec 25 Q8: a model that refuses the halves too leaves mode auto to words', async () => {
  const requests: string[][] = [];
  const embedder = createQueryEmbedder(embedderUpTo(10, requests));
  expect(await embedder.tryEmbedQuery(prompt(40))).toBeNull();
  expect(requests).toHaveLength(2);
  const refusal: unknown = await embedder.embedQuery(prompt(40)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'inference_unavailable', details: { reason: 'refused' } });
  expect(String(refusal)).toContain('too long for the window of the embedding model. Shorten it');
  expect(String(refusal)).not.toContain('later');
});

describe('what a reranker is asked (spec 25 Q9)', () => {
  const ask = (text: string, hit: string): string => questionFor(text, new AnalyzedQuery(text), hit);

  it('is the segment of the best hit and its neighbors', () => {
    const text = `${prompt(20)} Before that. Which Postgres runs the billing database? After that. ${prompt(20)}`;
    const question = ask(text, 'The billing database runs on Postgres 16.');
    expect(question).toContain('Which Postgres runs the billing database?');
    expect(question.length).toBeLessThanOrEqual(1_000);
    expect(question).not.toContain(sentence(10));
  });

  it('is at most 1,000 characters of a query without a sentence end, and a short query as it is', () => {
    expect(ask('x '.repeat(4_000), 'y').length).toBeLessThanOrEqual(1_000);
    expect(ask('which port', 'The port is 8080.')).toBe('which port');
  });
});
