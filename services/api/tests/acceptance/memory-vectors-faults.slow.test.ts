import {
  embedAll,
  embedText,
  type InferenceStub,
  type RunningProcess,
  startInferenceStub,
  waitUntil,
} from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokenVectors, embeddingBy, untilEmbedded, vectorsOf } from '../support/embedding.ts';
import { race, remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub;
let service: TestService;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  stub = await startInferenceStub();
  stops = [];
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await service.stop();
  await stub.close();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  service = await startService({ environment: { ...embeddingBy(stub), ...environment } });
}

async function startWorker(environment = embeddingBy(stub)): Promise<RunningProcess> {
  const worker = await startWorkerProcess(service, environment);
  stops.push(() => worker[Symbol.asyncDispose]());
  return worker;
}

const search = async (scope_id: string, text: string, mode: 'auto' | 'vector' | 'hybrid' | 'fts') =>
  (await service.call('search_memory', { body: { scope_id, query: text, mode } })).body;

test('spec 20 S12: entries remembered without a worker, and those left by a killed worker, are embedded once', async () => {
  await start();
  const texts = Array.from({ length: 30 }, (_, index) => `Sentence number ${index}`);
  for (const text of texts) await remember(service, 'killed', text);
  expect(await search('killed', 'sentence', 'auto')).toMatchObject({ mode: 'fts' });
  // The third batch hangs, with the others stored.
  let batches = 0;
  stub.embedWith((request, index) => {
    if (request.texts.some((text) => texts.includes(text))) batches += 1;
    return batches < 3 ? embedAll(request, index) : { hang: true };
  });
  stub.embeddings.length = 0;
  const first = await startWorker({ ...embeddingBy(stub), INFERENCE_EMBEDDING_BATCH_SIZE: '10' });
  await untilEmbedded(service, 'killed', 20);
  first.kill('SIGKILL');
  await first.exited;
  stub.embedWith(embedAll);
  stub.embeddings.length = 0;
  await startWorker();
  await untilEmbedded(service, 'killed', 30);
  expect(
    stub.embeddings.flatMap(({ texts: asked }) => asked).filter((text) => texts.includes(text)),
  ).toHaveLength(10);
  expect(await brokenVectors(service)).toEqual([]);
  expect(await search('killed', 'sentence', 'auto')).toMatchObject({ mode: 'hybrid' });
});

test('spec 20 S12: a new profile re-embeds all entries in the background, and search works in both profiles', async () => {
  await start();
  const worker = await startWorker();
  await race(5, (index) => remember(service, 'changing', `The automobile ${index}`));
  await untilEmbedded(service, 'changing', 5);
  worker.kill();
  await worker.exited;
  // Of another space: what is near in one is far in the other.
  const turned = (text: string) => embedText(`${text} turned turned turned`, 64).reverse();
  stub.embedWith((request, index) =>
    request.model === 'other' ? { vectors: request.texts.map(turned) } : embedAll(request, index),
  );
  const next = { ...embeddingBy(stub, 'stub-v2'), INFERENCE_EMBEDDING_MODEL: 'other' };
  const gateway = await startSecondGateway({
    ...service,
    settings: {
      ...service.settings,
      INFERENCE_EMBEDDING_MODEL: 'other',
      INFERENCE_EMBEDDING_PROFILE_ID: 'stub-v2',
    },
  });
  stops.push(() => gateway.stop());
  const asked = { body: { scope_id: 'changing', query: 'automobile' } };
  expect((await gateway.call('search_memory', asked)).body).toMatchObject({
    mode: 'fts',
    hits: [{}, {}, {}, {}, {}],
  });
  const missing = { body: { ...asked.body, mode: 'vector' as const } };
  expect((await gateway.call('search_memory', missing)).body).toMatchObject({ mode: 'vector', hits: [] });
  await startWorker(next);
  await untilEmbedded(service, 'changing', 5, 'stub-v2');
  await waitUntil(async () => (await gateway.call('search_memory', asked)).body.mode === 'hybrid');
  expect(await vectorsOf(service, 'changing')).toEqual({ 'stub-v1': 5, 'stub-v2': 5 });
  // A gateway of the previous version keeps searching its own vectors.
  expect(await search('changing', 'vehicle', 'hybrid')).toMatchObject({
    mode: 'hybrid',
    hits: [{}, {}, {}, {}, {}],
  });
  const { entry } = await remember(service, 'changing', 'The automobile that came later');
  await untilEmbedded(service, 'changing', 6, 'stub-v2');
  await service.call('retire_memory_entry', { body: { scope_id: 'changing', citation: entry.citation } });
  expect(await vectorsOf(service, 'changing')).toEqual({ 'stub-v1': 5, 'stub-v2': 5 });
  expect(await brokenVectors(service)).toEqual([]);
});

test('spec 20 S12: an endpoint without usable answers parks no text; all are embedded after its recovery', async () => {
  await start();
  await race(3, (index) => remember(service, 'broken', `A sentence ${index}`));
  stub.embedWith(({ texts }) => ({ vectors: texts.map(() => [1, 2, 3]) }));
  stub.embeddings.length = 0;
  await startWorker();
  await waitUntil(() => stub.embeddings.length >= 4);
  expect(await query(service.databaseUrl, 'SELECT FROM failed_embeddings')).toEqual([]);
  stub.embedWith(embedAll);
  await untilEmbedded(service, 'broken', 3);
});
