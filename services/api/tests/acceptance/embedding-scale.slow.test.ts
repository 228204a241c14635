import { embedAll, embedText, type InferenceStub, startInferenceStub, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub;
let service: TestService;
const prefixes = {
  INFERENCE_EMBEDDING_QUERY_PREFIX: 'query: ',
  INFERENCE_EMBEDDING_PASSAGE_PREFIX: 'passage: ',
};

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({ environment: { ...embeddingBy(stub), ...prefixes } });
});

beforeEach(() => {
  stub.baselines.length = 0;
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

const dimension = 64;

/** Vectors whose cosines with (1, 0, …) are given, and among each other their products. */
function vectorAt(cosine: number, place: number): number[] {
  const vector = Array.from({ length: dimension }, () => 0);
  vector[0] = cosine;
  vector[1 + (place % (dimension - 1))] = Math.sqrt(1 - cosine * cosine);
  return vector;
}

/** All cosines between a query and another text are 0.8. */
const narrow = ({ texts }: { texts: string[] }) => ({
  vectors: texts.map((text, place) => (text.startsWith('query: ') ? vectorAt(1, 0) : vectorAt(0.8, place))),
});

const baselines = () =>
  query<{ profile_id: string; baseline: number | null }>(
    service.databaseUrl,
    'SELECT profile_id, baseline FROM embedding_profiles ORDER BY profile_id',
  );

test('spec 26 scenario 45: the baseline of a model is measured once, and a paraphrase ranks above a weak word match', async () => {
  const paraphrase = 'We do not eat nuts here.';
  const match = 'The lunch table is oak, the chairs are beech.';
  const scope_id = freshScope();
  for (const text of [paraphrase, match]) await remember(service, scope_id, text);
  stub.embedBaselineWith(narrow);
  stub.embedWith(({ texts }) => ({
    vectors: texts.map((text, place) => {
      if (text.startsWith('query: ')) return vectorAt(1, 0);
      return vectorAt(text.includes(paraphrase) ? 0.9 : 0.8, place);
    }),
  }));
  const environment = { ...embeddingBy(stub), ...prefixes };
  {
    await using _worker = await startWorkerProcess(service, environment);
    await untilEmbedded(service, scope_id, 2);
    await waitUntil(async () => (await baselines())[0]?.baseline !== null);
  }
  expect((await baselines())[0]?.baseline).toBeCloseTo(0.8, 6);
  // One request of each kind, with its prefix.
  expect(stub.baselines.map(({ texts }) => texts.length)).toEqual([16, 16]);
  for (const [index, start] of ['query: ', 'passage: '].entries())
    expect(stub.baselines[index]?.texts.every((text) => text.startsWith(start))).toBe(true);
  {
    await using _again = await startWorkerProcess(service, environment);
    await remember(service, scope_id, 'Another entry');
    await untilEmbedded(service, scope_id, 3);
  }
  expect(stub.baselines).toHaveLength(2);
  const body = {
    scope_id,
    query: 'which lunch is safe for a guest with an allergy',
    mode: 'hybrid' as const,
  };
  await waitUntil(async () => {
    const { hits } = (await service.call('search_memory', { body })).body;
    return hits[0]?.text === paraphrase && hits.length > 1;
  });
  const { hits } = (await service.call('search_memory', { body })).body;
  expect(hits).toMatchObject([
    { text: paraphrase, matched_by: ['vector'] },
    { text: match, matched_by: ['fts'] },
  ]);
});

test.each([
  ['refuses', () => ({ status: 400, body: '{"error":{"message":"no"}}' })],
  [
    'gives an unusable vector for one of',
    ({ texts }: { texts: string[] }) => ({
      vectors: texts.map((text, place) => (place === 15 ? [1] : embedText(text, dimension))),
    }),
  ],
])(
  'spec 26 S9: an endpoint that %s the texts of the baseline has a baseline of 0, measured again at the next activation',
  async (what, answer) => {
    const scope_id = freshScope();
    const environment = embeddingBy(stub, `stub ${what}`);
    const own = async () => (await baselines()).find(({ profile_id }) => profile_id === `stub ${what}`);
    stub.embedBaselineWith(answer);
    stub.embedWith(embedAll);
    await remember(service, scope_id, 'The car is red.');
    {
      await using worker = await startWorkerProcess(service, environment);
      await untilEmbedded(service, scope_id, 1, `stub ${what}`);
      await waitUntil(() =>
        worker.output().includes('the baseline of the embedding profile could not be measured'),
      );
    }
    expect(stub.baselines.length).toBeLessThanOrEqual(1);
    expect(await own()).toMatchObject({ baseline: null });
    stub.embedBaselineWith(narrow);
    await using _worker = await startWorkerProcess(service, { ...environment, ...prefixes });
    await waitUntil(async () => (await own())?.baseline != null);
  },
);
