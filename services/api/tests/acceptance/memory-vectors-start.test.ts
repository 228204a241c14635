import { type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddingBy, untilEmbedded, vectorsOf } from '../support/embedding.ts';
import { race, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

let stub: InferenceStub;
let service: TestService;

beforeEach(async () => {
  stub = await startInferenceStub();
});

afterEach(async () => {
  await service.stop();
  await stub.close();
});

async function start(): Promise<void> {
  service = await startService({ environment: embeddingBy(stub) });
}

const search = async (scope_id: string, text: string, mode: 'auto' | 'hybrid') =>
  (await service.call('search_memory', { body: { scope_id, query: text, mode } })).body;

test('spec 20 S4: an endpoint that is down at start-up leaves the search modes available', async () => {
  stub.embedWith(() => ({ status: 503, body: '{}' }));
  await start();
  expect((await service.call('get_capabilities')).body.search_modes).toContain('hybrid');
  const { body } = await service.call('get_readiness');
  expect(body).toMatchObject({ status: 'degraded', checks: { 'inference.embedding': 'unavailable' } });
  expect(body.checks).toHaveProperty(['worker.memory-embed'], 'unavailable');
  expect(await search('new', 'anything', 'auto')).toMatchObject({ memory: null });
  const reply = await service.call('search_memory', {
    body: { scope_id: 'new', query: 'x', mode: 'hybrid' },
  });
  expect(reply).toMatchObject({ status: 503, error: { code: 'inference_unavailable' } });
});

test.each([
  ['gives vectors of another dimension', () => ({ vectors: [[1, 2, 3]] })],
  ['does not know the model', () => ({ status: 404, body: '{"error":{"message":"no such model"}}' })],
])(
  'spec 20 S4: a profile is refused where the endpoint %s, and words are searched all the same',
  async (_what, answer) => {
    stub.embedWith(answer);
    await start();
    expect((await service.call('get_capabilities')).body.search_modes).toEqual(['auto', 'fts']);
    expect((await service.call('get_readiness')).body.checks['inference.embedding']).toBe('misconfigured');
    const reply = await service.call('search_memory', {
      body: { scope_id: 'new', query: 'x', mode: 'vector' },
    });
    expect(reply).toMatchObject({
      status: 422,
      error: { code: 'capability_not_supported', details: { capability: 'vector' } },
    });
    await remember(service, 'new', 'A kettle');
    expect(await search('new', 'kettle', 'auto')).toMatchObject({ mode: 'fts', hits: [{}] });
  },
);

test('spec 10 §2.2.3: readiness asks the model once for many readers, and then not for a while', async () => {
  await start();
  stub.embeddings.length = 0;
  await race(20, () => service.call('get_readiness'));
  expect(stub.embeddings).toHaveLength(0);
  expect((await service.call('get_readiness')).body.checks['inference.embedding']).toBe('ready');
});

test('spec 20 M2, scenario 28: a search by meaning covers all Memories of the Scope and none of another tenant', async () => {
  service = await startService({
    workers: true,
    environment: { ...embeddingBy(stub), AUTH_TOKENS_FILE: await writeTokens('ours', 'theirs') },
  });
  const ours = clientOf(service.url, 'ours');
  const theirs = clientOf(service.url, 'theirs');
  const scope_id = 'same-name';
  const { entry } = await remember(ours, scope_id, 'Our automobile is red.');
  const body = {
    family: 'memory' as const,
    content: { entries: [{ kind: 'fact', text: 'Our other vehicle' }] },
  };
  expect((await ours.call('create_artifact', { params: { scope_id }, body })).status).toBe(201);
  await remember(theirs, scope_id, 'Nothing but flowers');
  await untilEmbedded(service, scope_id, 3);
  const search = { body: { scope_id, query: 'car vehicle', mode: 'vector' as const } };
  const { hits } = (await ours.call('search_memory', search)).body;
  expect(hits.map(({ text }) => text).sort()).toEqual(['Our automobile is red.', 'Our other vehicle']);
  expect(new Set(hits.map(({ citation }) => citation.memory_ref.artifact_id)).size).toBe(2);
  expect((await theirs.call('search_memory', search)).body.hits).toEqual([]);
  const stolen = { body: { scope_id, citation: entry.citation } };
  expect(await theirs.call('retire_memory_entry', stolen)).toMatchObject({ status: 404 });
  expect(await vectorsOf(service, scope_id)).toEqual({ 'stub-v1': 3 });
});
