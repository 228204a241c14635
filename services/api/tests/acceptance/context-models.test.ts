import { embedAll, type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { prepare } from '../support/context.ts';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { freshScope, remember } from '../support/memory.ts';
import { scopeCalls } from '../support/scopes.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let stub: InferenceStub;
let service: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({
    workers: true,
    environment: embeddingBy(stub),
  });
});

beforeEach(() => stub.embedWith(embedAll));

afterAll(async () => {
  await service.stop();
  await stub.close();
});

/** A Scope that refers to another one, each with an embedded entry. */
async function arrange() {
  const other = freshScope();
  await remember(service, other, 'The automobile is red.');
  const scope_id = await scopeCalls(service).made({ context_references: [other] });
  await remember(service, scope_id, 'A physician came by.');
  await untilEmbedded(service, other, 1);
  await untilEmbedded(service, scope_id, 1);
  return scope_id;
}

const textsOf = ({ items }: Awaited<ReturnType<typeof prepare>>) => items.map(({ content }) => content);

test('spec 20 P3: entries without a word of the query are found by meaning in each Scope', async () => {
  const scope_id = await arrange();
  expect(textsOf(await prepare(service, scope_id, 'car'))).toEqual(['The automobile is red.']);
  expect(textsOf(await prepare(service, scope_id, 'doctor'))).toEqual(['A physician came by.']);
});

test('spec 20 P3, T6: a query is embedded once, however many Scopes are read', async () => {
  const scope_id = await arrange();
  const before = stub.embeddings.length;
  await prepare(service, scope_id, 'car');
  expect(stub.embeddings.length - before).toBe(1);
  const used = await query(
    service.databaseUrl,
    `SELECT purpose, requests::int FROM model_usage_days JOIN scopes USING (tenant_id, scope_key)
     WHERE scope_id = $1 AND purpose = 'memory_recall'`,
    [scope_id],
  );
  expect(used).toEqual([{ purpose: 'memory_recall', requests: 1 }]);
});

test.each([
  ['is down', () => ({ status: 503, body: '{}' })],
  ['does not answer', () => ({ hang: true as const })],
])('spec 20 P3: if the model %s, only words decide', async (_what, answer) => {
  const scope_id = await arrange();
  const impatient = await startSecondGateway({
    ...service,
    settings: { ...service.settings, INFERENCE_EMBEDDING_TIMEOUT_MS: 500 },
  });
  stub.embedWith(answer);
  expect(textsOf(await prepare(impatient, scope_id, 'red automobile'))).toEqual(['The automobile is red.']);
  expect(await prepare(impatient, scope_id, 'car')).toMatchObject({ status: 'empty' });
  await impatient.stop();
});
