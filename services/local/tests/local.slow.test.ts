import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Client,
  type InferenceStub,
  type RunningProcess,
  startInferenceStub,
  stubDimension,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDirectory, runLocal, shareDataDirectory, startLocal } from './support/start-local.ts';

const on = shareDataDirectory();

/** Waits until the model is asked about a text. A job that an earlier test has left may ask it about another one first. */
const untilAsked = ({ requests }: InferenceStub, text: string) =>
  waitUntil(() => JSON.stringify(requests).includes(text));

const scope_id = 'laptop';

test('the all-in-one service keeps all that it answered, through a kill, a clean end and a closed terminal', async () => {
  const first = await startLocal(on.dataDirectory);
  expect(first.service.output()).toContain('/docs');
  expect(first.service.output()).toContain('curl');
  await first.client.call('capture_content_source', {
    body: { scope_id, source_id: 'a', content: 'We decided to use Postgres 18.' },
  });
  expect((await first.client.call('flush_memory', { body: { scope_id } })).body.status).toBe('processed');
  const remembered = await first.client.call('remember_memory', {
    body: { scope_id, kind: 'fact', text: 'The laptop has two cores.' },
  });
  first.service.kill('SIGKILL');
  await first.service.exited;

  const second = await startLocal(on.dataDirectory);
  const listed = await second.client.call('list_memory_entries', { body: { scope_id } });
  expect(listed.body.memory).toEqual(remembered.body.memory);
  expect(listed.body.entries.map(({ text }) => text)).toEqual([
    'We decided to use Postgres 18.',
    'The laptop has two cores.',
  ]);
  second.service.kill('SIGINT');
  expect(await second.service.exited).toEqual({ code: 0, signal: null });

  const third = await startLocal(on.dataDirectory);
  const found = await third.client.call('search_memory', { body: { scope_id, query: 'laptop' } });
  expect(found.body.hits).toHaveLength(1);
  third.service.kill('SIGHUP');
  expect(await third.service.exited).toEqual({ code: 0, signal: null });
});

describe('the all-in-one service with models', () => {
  let stub: InferenceStub;
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    stub = await startInferenceStub();
    ({ service, client } = await startLocal(on.dataDirectory, {
      INFERENCE_BASE_URL: stub.url,
      INFERENCE_GENERATION_MODEL: 'stub',
      INFERENCE_EMBEDDING_MODEL: 'stub',
      INFERENCE_EMBEDDING_PROFILE_ID: 'stub',
      INFERENCE_EMBEDDING_DIMENSION: String(stubDimension),
      SHUTDOWN_GRACE_MS: '6000',
    }));
  });

  afterAll(() => stub.close());

  test('searches by meaning', async () => {
    await client.call('remember_memory', {
      body: { scope_id: 'meaning', kind: 'fact', text: 'The car is red.' },
    });
    const search = { body: { scope_id: 'meaning', query: 'automobile' } };
    await waitUntil(async () => (await client.call('search_memory', search)).body.hits.length === 1);
    expect((await client.call('search_memory', search)).body).toMatchObject({ mode: 'hybrid' });
  });

  test('ends in time and with 0 while a model does not answer', async () => {
    stub.respondWith(() => ({ hang: true }));
    await client.call('capture_content_source', {
      body: { scope_id: 'slow', source_id: 'a', content: 'We decided to hurry.' },
    });
    const answer = client.send('POST', '/v1/memory/flush', { scope_id: 'slow' });
    await untilAsked(stub, 'We decided to hurry.');
    service.kill('SIGTERM');
    expect((await answer).status).toBe(503);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

test('of two services that start at once on new data, one serves and the other says who has it', async () => {
  const directory = await makeDataDirectory();
  const start = () => runLocal(directory);
  const services = [start(), start()];
  const outcomes = services.map(async (service) =>
    Promise.race([service.waitForLine('runs on').then(() => 'serves'), service.exited]),
  );
  const loser = await Promise.race(
    services.map(async (service) => ({ service, exit: await service.exited })),
  );
  expect(loser.exit.code).toBe(1);
  const winner = services.find((service) => service !== loser.service);
  expect(loser.service.output().trim()).toBe(
    `continuity: The data in ${directory} is in use by process ${winner?.pid}. Stop it, or set DATA_DIR to another directory.`,
  );
  expect(await Promise.allSettled(outcomes)).toContainEqual({ status: 'fulfilled', value: 'serves' });
  winner?.kill();
  expect(await winner?.exited).toMatchObject({ code: 0 });
  await rm(directory, { recursive: true });
});

test('a service waits for the one that is stopping on the same data', async () => {
  const stub = await startInferenceStub();
  const { promise: thinking, resolve: answerModel } = Promise.withResolvers<void>();
  stub.respondWith(async () => {
    await thinking;
    return { content: '{"proposals":[]}' };
  });
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  // The model answers when the next service has started, which takes minutes on a busy machine.
  const waits = {
    SHUTDOWN_GRACE_MS: '600000',
    JOB_WAIT_MS: '600000',
    INFERENCE_GENERATION_TIMEOUT_MS: '600000',
  };
  const { service, client } = await startLocal(on.dataDirectory, { ...model, ...waits });
  await client.call('capture_content_source', {
    body: { scope_id: 'waits', source_id: 'a', content: 'We decided to wait.' },
  });
  const answer = client.send('POST', '/v1/memory/flush', { scope_id: 'waits' });
  await untilAsked(stub, 'We decided to wait.');
  service.kill();
  await waitUntil(async () => (await client.send('GET', '/health/ready')).status === 503);
  const next = runLocal(on.dataDirectory);
  await next.waitForLine('waiting for the service that is stopping');
  answerModel();
  expect((await answer).status).toBe(200);
  expect(await service.exited).toMatchObject({ code: 0 });
  await next.waitForLine('runs on');
  next.kill();
  await next.exited;
  await stub.close();
});

test('a first start that was killed while it wrote its password is made up for by the next', async () => {
  const directory = await makeDataDirectory();
  await writeFile(join(directory, 'postgres-password'), '', { mode: 0o600 });
  const { service } = await startLocal(directory);
  const password = await stat(join(directory, 'postgres-password'));
  expect([password.size, password.mode & 0o777]).toEqual([48, 0o600]);
  service.kill('SIGTERM');
  await service.exited;
  await rm(directory, { recursive: true, force: true });
});
