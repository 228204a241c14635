import { createAsk, createEmbedder, type ModelUsage } from '@continuity/shared/inference';
import { type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

let stub: InferenceStub;

beforeAll(async () => {
  stub = await startInferenceStub();
});

afterAll(() => stub.close());

const completion = (usage: unknown) => {
  const message = { role: 'assistant', content: '{}' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { status: 200, body: JSON.stringify({ id: 'a', created: 0, model: 'stub', choices, usage }) };
};

/** Usage reported for a generation. */
async function usedBy(usage: unknown): Promise<ModelUsage[]> {
  stub.respondWith(() => completion(usage));
  const told: ModelUsage[] = [];
  const ask = createAsk({ baseURL: stub.url, model: 'stub', timeoutMs: 10_000 });
  await ask({
    name: 'nothing',
    instructions: 'Say nothing.',
    prompt: 'Nothing.',
    schema: z.object({}),
    signal: new AbortController().signal,
    onUsage: async (one) => void told.push(one),
  });
  return told;
}

/** Usage reported for an embedding. */
async function usedToEmbed(tokens: number | undefined): Promise<ModelUsage | null> {
  stub.embedWith(() => ({ vectors: [[1, 0]], tokens }));
  const profile = { profileId: 'p', model: 'stub', dimension: 2 };
  const embedder = createEmbedder({ ...profile, baseURL: stub.url, timeoutMs: 10_000 });
  return (await embedder.embed(['text'], 'query')).usage;
}

test.each([
  ['both', { prompt_tokens: 7, completion_tokens: 0 }, 7, 0],
  ['none', null, null, null],
  ['only what went in', { prompt_tokens: 7 }, 7, null],
  ['only what came out', { prompt_tokens: null, completion_tokens: 3 }, null, 3],
  ['parts of tokens', { prompt_tokens: 1.5, completion_tokens: 3 }, null, 3],
  ['less than none', { prompt_tokens: -1, completion_tokens: 3 }, null, 3],
  ['more than can be', { prompt_tokens: 1e30, completion_tokens: 3 }, null, 3],
])(
  'spec 20 T6: a figure that a generation did not report is null: %s',
  async (_what, usage, input, output) => {
    expect(await usedBy(usage)).toEqual([{ requests: 1, input_tokens: input, output_tokens: output }]);
  },
);

test.each([
  ['a number', 7, 7],
  ['none', undefined, null],
  ['parts of tokens', 1.5, null],
  ['less than none', -1, null],
  ['more than can be', 1e30, null],
])('spec 20 T6: a figure that an embedding did not report is null: %s', async (_what, tokens, input) => {
  expect(await usedToEmbed(tokens)).toEqual({ requests: 1, input_tokens: input, output_tokens: null });
});
