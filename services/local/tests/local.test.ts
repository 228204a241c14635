import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Client,
  clientFor,
  type InferenceStub,
  type RunningProcess,
  runProcess,
  startInferenceStub,
  stubDimension,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-local-'));
  // Of root's own directories PostgreSQL's account can enter none.
  await chmod(dataDirectory, 0o755);
});

afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

async function startLocal(
  environment: Record<string, string> = {},
): Promise<{ service: RunningProcess; client: Client }> {
  const service = runProcess(['dist/local.mjs'], {
    DATA_DIR: dataDirectory,
    PORT: '0',
    EMBEDDER: 'off',
    ...environment,
  });
  const line = await service.waitForLine('runs on', 60_000);
  const client = clientFor(line.slice(line.indexOf('http')).trim());
  // Nothing that needs a worker is 503 after the banner.
  const { checks } = (await client.call('get_readiness')).body;
  const workers = Object.entries(checks).filter(([name]) => name.startsWith('worker.'));
  expect(workers.filter(([, state]) => state !== 'ready')).toEqual([]);
  await waitUntil(async () => (await client.call('get_readiness')).body.status === 'ready');
  return { service, client };
}

/** Waits until the model is asked about a text. A job that an earlier test has left may ask it about another one first. */
const untilAsked = ({ requests }: InferenceStub, text: string) =>
  waitUntil(() => JSON.stringify(requests).includes(text));

const scope_id = 'laptop';

test('the all-in-one service keeps all that it answered, through a kill, a clean end and a closed terminal', async () => {
  const first = await startLocal();
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

  const second = await startLocal();
  const listed = await second.client.call('list_memory_entries', { body: { scope_id } });
  expect(listed.body.memory).toEqual(remembered.body.memory);
  expect(listed.body.entries.map(({ text }) => text)).toEqual([
    'We decided to use Postgres 18.',
    'The laptop has two cores.',
  ]);
  second.service.kill('SIGINT');
  expect(await second.service.exited).toEqual({ code: 0, signal: null });

  const third = await startLocal();
  const found = await third.client.call('search_memory', { body: { scope_id, query: 'laptop' } });
  expect(found.body.hits).toHaveLength(1);
  third.service.kill('SIGHUP');
  expect(await third.service.exited).toEqual({ code: 0, signal: null });
});

/** Runs the command that the service prints at its start, and returns what the command prints. */
async function tryFirst(service: RunningProcess, token?: string): Promise<string> {
  await service.waitForLine('Press Ctrl-C');
  const command = /^ *curl .*\n.*$/m.exec(service.output())?.[0] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    env: { ...process.env, TOKEN: token },
  });
  return stdout;
}

describe('the all-in-one service', () => {
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    ({ service, client } = await startLocal());
  });

  test('says what to try first, and it works', async () => {
    expect(JSON.parse(await tryFirst(service))).toMatchObject({ entry: { state: 'active' } });
  });

  test('is left alone by a second service on the same data, which says who has it', async () => {
    const other = runProcess(['dist/local.mjs'], { DATA_DIR: dataDirectory, PORT: '0', EMBEDDER: 'off' });
    expect((await other.exited).code).toBe(1);
    expect(other.output()).toContain(`in use by process ${service.pid}`);
    expect((await client.call('get_liveness')).status).toBe(200);
  });

  test('spec 10 scenario 1: goes on when its PostgreSQL is killed, without a restart', async () => {
    const capture = (source_id: string) =>
      client.send('POST', '/v1/sources/content', { scope_id: 'crash', source_id, content: 'We use Kafka.' });
    expect((await capture('before')).status).toBe(202);
    const lock = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
    // The requests go on from before the crash: the service may be back within a second.
    const refused = waitUntil(async () => (await capture('while')).status === 503, { intervalMs: 5 });
    process.kill(Number.parseInt(lock, 10), 'SIGKILL');
    await refused;
    await waitUntil(async () => (await client.send('GET', '/health/ready')).status === 200, {
      timeoutMs: 30_000,
    });
    expect((await capture('after')).status).toBe(202);
    const flush = { scope_id: 'crash' };
    await waitUntil(async () => (await client.send('POST', '/v1/memory/flush', flush)).status === 200);
    const { body } = await client.call('list_memory_entries', { body: { scope_id: 'crash' } });
    expect(body.entries.map(({ text }) => text)).toEqual(['We use Kafka.']);
    service.kill('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

describe('the all-in-one service with models', () => {
  let stub: InferenceStub;
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    stub = await startInferenceStub();
    ({ service, client } = await startLocal({
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
  const directory = await mkdtemp(join(tmpdir(), 'continuity-two-'));
  await chmod(directory, 0o755);
  const start = () => runProcess(['dist/local.mjs'], { DATA_DIR: directory, PORT: '0', EMBEDDER: 'off' });
  const services = [start(), start()];
  const outcomes = services.map(async (service) =>
    Promise.race([service.waitForLine('runs on', 60_000).then(() => 'serves'), service.exited]),
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
  const { service, client } = await startLocal({ ...model, SHUTDOWN_GRACE_MS: '60000' });
  await client.call('capture_content_source', {
    body: { scope_id: 'waits', source_id: 'a', content: 'We decided to wait.' },
  });
  const answer = client.send('POST', '/v1/memory/flush', { scope_id: 'waits' });
  await untilAsked(stub, 'We decided to wait.');
  service.kill();
  await waitUntil(async () => (await client.send('GET', '/health/ready')).status === 503);
  const next = runProcess(['dist/local.mjs'], { DATA_DIR: dataDirectory, PORT: '0', EMBEDDER: 'off' });
  await next.waitForLine('waiting for the service that is stopping');
  answerModel();
  expect((await answer).status).toBe(200);
  expect(await service.exited).toMatchObject({ code: 0 });
  await next.waitForLine('runs on');
  next.kill();
  await next.exited;
  await stub.close();
});

test('a wrong setting ends the start with a sentence that names it', async () => {
  const service = runProcess(['dist/local.mjs'], { DATA_DIR: dataDirectory, PORT: 'many' });
  expect((await service.exited).code).toBe(2);
  expect(service.output()).toMatch(/PORT is invalid/);
  expect(service.output()).not.toContain('many');
});

test('a first start that was killed while it wrote its password is made up for by the next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-local-'));
  await chmod(directory, 0o755);
  await writeFile(join(directory, 'postgres-password'), '', { mode: 0o600 });
  const { service } = await startLocal({ DATA_DIR: directory });
  const password = await stat(join(directory, 'postgres-password'));
  expect([password.size, password.mode & 0o777]).toEqual([48, 0o600]);
  service.kill('SIGTERM');
  await service.exited;
  await rm(directory, { recursive: true, force: true });
});

test('what the service says to try first works with a token, and SIGHUP makes it read its tokens file again', async () => {
  const [first, second] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
  const file = join(dataDirectory, 'tokens.json');
  const writeTokens = (...tokens: string[]) => {
    const hashed = tokens.map((token) => ({
      tenant: 'blue',
      token_sha256: createHash('sha256').update(token).digest('hex'),
    }));
    return writeFile(file, JSON.stringify({ tokens: hashed }));
  };
  await writeTokens(first);
  const { service, client } = await startLocal({ AUTH_TOKENS_FILE: file });
  expect(JSON.parse(await tryFirst(service, first))).toMatchObject({ entry: { state: 'active' } });
  const statusOf = async (token: string) =>
    (await client.send('GET', '/v1/capabilities', undefined, { authorization: `Bearer ${token}` })).status;
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
  await writeTokens(second);
  service.kill('SIGHUP');
  await waitUntil(async () => (await statusOf(second)) === 200);
  expect(await statusOf(first)).toBe(401);
  service.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
