import { newId } from '@continuity/kernel/text';
import {
  type Client,
  type RunningProcess,
  startTcpProxy,
  type TcpProxy,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { race, remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

/** Bound of the time in which others go on after a process or its network froze. */
const goesOnMs = 10_000;

/** Bound of a request of another Scope on a busy test machine; a few milliseconds elsewhere. */
const servedMs = 3_000;

const writers = 24;

/** A process behind a proxy, and how to freeze and wake it. */
interface Freezable {
  proxy: TcpProxy;
  freeze(): void;
  wake(): void;
}

let service: TestService;
let workerProxy: TcpProxy;
/** To Redis, if the queues are there. */
let workerQueueProxy: TcpProxy | undefined;
let gatewayProxy: TcpProxy;
let networkProxy: TcpProxy;
let worker: RunningProcess;
let otherWorker: RunningProcess;
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>;
let cutGateway: Awaited<ReturnType<typeof startSecondGateway>>;

beforeAll(async () => {
  service = await startService();
  const { databaseUrl, settings } = service;
  [workerProxy, gatewayProxy, networkProxy] = await Promise.all([
    startTcpProxy(databaseUrl),
    startTcpProxy(databaseUrl),
    startTcpProxy(databaseUrl),
  ]);
  if (settings.REDIS_URL !== undefined) workerQueueProxy = await startTcpProxy(settings.REDIS_URL);
  cutGateway = await startSecondGateway({
    ...service,
    settings: { ...settings, DATABASE_URL: networkProxy.url },
  });
  // One after the other: on a busy machine each of them takes seconds to start.
  gateway = await startGatewayProcess(service, { DATABASE_URL: gatewayProxy.url });
  worker = await startWorkerProcess(service, {
    DATABASE_URL: workerProxy.url,
    ...(workerQueueProxy && { REDIS_URL: workerQueueProxy.url }),
  });
  otherWorker = await startWorkerProcess(service);
});

afterAll(async () => {
  for (const proxy of [workerProxy, gatewayProxy, networkProxy]) proxy.resume();
  workerQueueProxy?.resume();
  await cutGateway.stop();
  for (const running of [worker, otherWorker, gateway]) await running[Symbol.asyncDispose]();
  await service.stop();
  for (const proxy of [workerProxy, gatewayProxy, networkProxy]) await proxy.stop();
  await workerQueueProxy?.stop();
});

/** Freezes a process right after it has sent a statement. Resolves with the time of that. */
function freezeAt({ proxy, freeze }: Freezable, statement: string): Promise<number> {
  return new Promise((resolve) =>
    proxy.onceSent(statement, () => {
      freeze();
      resolve(performance.now());
    }),
  );
}

/** Sends a write until it succeeds. Each refusal must be a 503 that says when to retry. */
async function writeUntilDone(write: () => ReturnType<Client['send']>): Promise<void> {
  await waitUntil(
    async () => {
      const reply = await write();
      if (reply.status < 300) return true;
      expectError(reply, 503, 'database_unavailable');
      expect(reply.headers.get('retry-after')).toBe('1');
      return false;
    },
    { timeoutMs: underLoad(2 * goesOnMs), intervalMs: 300, what: 'a write to the Scope of a frozen process' },
  );
}

/** Writes and searches in a Scope of its own until `work` ends. Returns the longest time that one request took. */
async function longestOfOthers(scope_id: string, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  for (let index = 0; !isOver; index += 1) {
    const requests: [string, object][] = [
      ['/v1/memory/remember', { scope_id, kind: 'fact', text: `Light ${index}` }],
      ['/v1/sources/content', { scope_id, source_id: `${index}`, content: 'light' }],
      ['/v1/memory/search', { scope_id, query: 'light' }],
    ];
    for (const [path, body] of requests) {
      const from = performance.now();
      const { status, text } = await service.send('POST', path, body);
      expect({ path, status, text }).toMatchObject({ path, status: path.endsWith('content') ? 202 : 200 });
      longestMs = Math.max(longestMs, performance.now() - from);
    }
  }
  await over;
  return longestMs;
}

const rememberIn = (client: Client, scope_id: string, text: string) =>
  client.send('POST', '/v1/memory/remember', { scope_id, kind: 'fact', text });
const capture = (scope_id: string, source_id: string) =>
  service.send('POST', '/v1/sources/content', {
    scope_id,
    source_id,
    content: `We use Kafka: ${source_id}.`,
  });

/** The Scopes whose row of Source positions a transaction has locked. */
async function lockedScopes(): Promise<string[]> {
  const rows = await query<{ scope_id: string }>(
    service.databaseUrl,
    `SELECT scope_id FROM scopes JOIN source_sequences USING (tenant_id, scope_key) WHERE scope_key NOT IN (
       SELECT scope_key FROM source_sequences FOR UPDATE SKIP LOCKED)`,
  );
  return rows.map(({ scope_id }) => scope_id);
}

/** Positions of the Sources and texts of the current Memory of a Scope. */
async function contentsOf(scopeId: string): Promise<{ positions: number[]; texts: string[] }> {
  const positions = await query<{ position: number }>(
    service.databaseUrl,
    `SELECT position::int FROM sources JOIN scopes USING (tenant_id, scope_key)
     WHERE scope_id = $1 ORDER BY position`,
    [scopeId],
  );
  const { body } = await service.call('list_memory_entries', { body: { scope_id: scopeId } });
  return {
    positions: positions.map(({ position }) => position),
    texts: body.entries.map(({ text }) => text),
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.concurrent('a worker frozen in the commit of a flush stops neither other Scopes nor, after 10 s, its own', async () => {
  const frozen = {
    proxy: workerProxy,
    freeze: () => worker.kill('SIGSTOP'),
    wake: () => worker.kill('SIGCONT'),
  };
  const scopes = Array.from({ length: 16 }, (_, index) => `flushed-${index}`);
  await Promise.all(scopes.map((scope) => capture(scope, 'first')));
  const frozenAt = freezeAt(frozen, 'move_extraction_cursor');
  const flushes = Promise.all(
    scopes.map((scope_id) => service.call('flush_memory', { body: { scope_id } })),
  ).then((replies) => ({ replies, at: performance.now() }));
  const from = await frozenAt;
  const stuck = await waitUntil(async () =>
    (await lockedScopes()).find((scope) => scope.startsWith('flushed-')),
  );
  const writes = race(writers, (index) => writeUntilDone(() => capture(stuck, `late-${index}`)));
  expect(await longestOfOthers('beside the worker', writes)).toBeLessThan(underLoad(servedMs));
  expect(performance.now() - from).toBeLessThan(underLoad(goesOnMs));
  const { replies, at } = await flushes;
  expect(at - from).toBeLessThan(underLoad(goesOnMs));

  frozen.wake();
  await worker.waitForLine('"lost"');
  for (const { body } of replies) expect(body).toMatchObject({ status: 'processed', previous_cursor: 0 });
  expect((await service.call('flush_memory', { body: { scope_id: stuck } })).status).toBe(200);
  for (const scope of scopes) {
    const sources = scope === stuck ? 1 + writers : 1;
    const { positions, texts } = await contentsOf(scope);
    expect(positions).toEqual(upTo(sources));
    expect(texts).toHaveLength(sources);
    expect(new Set(texts).size).toBe(sources);
  }
});

test.concurrent.each(['gateway', 'network'])(
  'a frozen %s in the middle of a write stops neither other Scopes nor, after 10 s, its own',
  async (which) => {
    const { client, ...frozen } =
      which === 'gateway'
        ? {
            client: gateway.client,
            proxy: gatewayProxy,
            freeze: () => gateway.kill('SIGSTOP'),
            wake: () => gateway.kill('SIGCONT'),
          }
        : {
            client: cutGateway,
            proxy: networkProxy,
            freeze: () => networkProxy.freeze(),
            wake: () => networkProxy.resume(),
          };
    const scope = `of the frozen ${which}`;
    await remember(client, scope, 'Before.');
    const frozenAt = freezeAt(frozen, 'lock_memory_head');
    const lost = rememberIn(client, scope, 'Lost.');
    const from = await frozenAt;
    const writes = race(writers, (index) =>
      writeUntilDone(() => rememberIn(service, scope, `Late ${index}.`)),
    );
    expect(await longestOfOthers(`beside the ${which}`, writes)).toBeLessThan(underLoad(servedMs));
    expect(performance.now() - from).toBeLessThan(underLoad(goesOnMs));

    frozen.wake();
    expectError(await lost, 503, 'database_unavailable');
    const late = Array.from({ length: writers }, (_, index) => `Late ${index}.`);
    expect((await contentsOf(scope)).texts.toSorted()).toEqual(['Before.', ...late].toSorted());
    await writeUntilDone(() => rememberIn(client, scope, 'After.'));
  },
);

test.each(['process', 'network'])(
  'a worker whose %s is frozen in its sweep does not delay the recovery of lost jobs by others',
  async (which) => {
    const frozen =
      which === 'process'
        ? { proxy: workerProxy, freeze: () => worker.kill('SIGSTOP'), wake: () => worker.kill('SIGCONT') }
        : {
            proxy: workerProxy,
            freeze: () => {
              workerProxy.freeze();
              workerQueueProxy?.freeze();
            },
            wake: () => {
              workerProxy.resume();
              workerQueueProxy?.resume();
            },
          };
    onTestFinished(frozen.wake);
    const scope = `lost in the sweep of a ${which}`;
    await capture(scope, 'first');
    const from = await freezeAt(frozen, 'jobs_requeue_lost');
    // The job of a worker that was killed.
    const job_id = newId();
    await query(
      service.databaseUrl,
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, status, attempt, worker_id, started_at)
       SELECT tenant_id, $2, 'memory-flush', 'flush_memory', $1, $1, $3, 'running', 1, gen_random_uuid(), now()
       FROM scopes WHERE scope_id = $1`,
      [scope, job_id, JSON.stringify({ scope_id: scope })],
    );
    await waitUntil(
      async () => (await service.call('get_job', { params: { job_id } })).body.status === 'succeeded',
      { timeoutMs: underLoad(2 * goesOnMs) },
    );
    expect(performance.now() - from).toBeLessThan(underLoad(goesOnMs));
    frozen.wake();
    expect((await contentsOf(scope)).texts).toHaveLength(1);
    await waitUntil(async () => {
      const { body } = await service.call('get_readiness');
      return body.checks['worker.memory-flush'] === 'ready';
    });
  },
);

test('a worker that is cut off from the database alone leaves the jobs to others', async () => {
  const scopes = Array.from({ length: 12 }, (_, index) => `taken-${index}`);
  await Promise.all(scopes.map((scope) => capture(scope, 'first')));
  workerProxy.freeze();
  onTestFinished(() => workerProxy.resume());
  const from = performance.now();
  const replies = await Promise.all(
    scopes.map((scope_id) => service.call('flush_memory', { body: { scope_id } })),
  );
  expect(performance.now() - from).toBeLessThan(underLoad(goesOnMs));
  for (const { body } of replies) expect(body).toMatchObject({ status: 'processed', current_cursor: 1 });
});
