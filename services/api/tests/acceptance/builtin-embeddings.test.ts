import { embedText, type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilEmbedded } from '../support/embedding.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';

const dimension = 384;

let stub: InferenceStub;
let service: TestService;

/** Answers as the built-in embedder does. */
const embed = () =>
  stub.embedWith(({ texts }) => ({ vectors: texts.map((text) => embedText(text, dimension)), tokens: 3 }));

beforeAll(async () => {
  stub = await startInferenceStub();
  embed();
  const environment = { MEMORY_AUTO_FLUSH: 'off', EMBEDDER_URL: stub.url.replace(/\/v1$/, '') };
  service = await startService({ workers: true, environment });
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

const search = (scope_id: string, mode: 'auto' | 'fts' | 'vector' | 'hybrid') =>
  service.call('search_memory', { body: { scope_id, query: 'car', mode } });

test('spec 26 S14: with EMBEDDER_URL alone, entries are found by meaning, and nothing of it is counted', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'The physician bought an automobile.');
  await untilEmbedded(service, scope_id, 1, 'builtin:1');
  const { body } = await service.call('get_capabilities');
  expect(body.search_modes).toEqual(['auto', 'fts', 'vector', 'hybrid']);
  const readiness = (await service.call('get_readiness')).body;
  expect(readiness.checks).toMatchObject({ 'inference.embedding': 'ready', 'worker.memory-embed': 'ready' });
  expect((await search(scope_id, 'auto')).body).toMatchObject({
    mode: 'hybrid',
    hits: [{ matched_by: ['vector'] }],
  });
  expect((await search(scope_id, 'vector')).body).toMatchObject({ hits: [{ score: 1 }] });
  const { body: stats } = await service.call('get_stats', {
    body: { selection: { mode: 'exact', scope_ids: [scope_id] } },
  });
  expect(stats.by_scope[0]?.usage.by_purpose).toEqual([]);
});

test('spec 26 S13: the baseline of the built-in profile is known, and not measured', async () => {
  expect(stub.baselines).toEqual([]);
});

test('spec 26 S14: with the embedder down auto is by words, hybrid 503, writes succeed; EMBEDDER=off is words', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'The car is red.');
  await untilEmbedded(service, scope_id, 1, 'builtin:1');
  stub.embedWith(() => ({ status: 503, body: '{"error":{"message":"too many texts"}}' }));
  expect(await search(scope_id, 'hybrid')).toMatchObject({
    status: 503,
    error: { code: 'inference_unavailable', details: { reason: 'unreachable' } },
  });
  expect(await search(scope_id, 'auto')).toMatchObject({ status: 200, body: { mode: 'fts' } });
  expect((await remember(service, scope_id, 'Written meanwhile.')).entry.state).toBe('active');
  embed();
  await untilEmbedded(service, scope_id, 2, 'builtin:1');
  expect((await search(scope_id, 'hybrid')).status).toBe(200);
  const gateway = await startSecondGateway({
    ...service,
    settings: { ...service.settings, EMBEDDER: false },
  });
  try {
    expect((await gateway.call('get_capabilities')).body.search_modes).toEqual(['auto', 'fts']);
    expect((await gateway.call('get_readiness')).body.checks).not.toHaveProperty('inference.embedding');
  } finally {
    await gateway.stop();
  }
});
