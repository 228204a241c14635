import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@continuity/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { runPipelinedInOrder } from '../../src/limits/pipelining.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const gateway = await startGatewayProcess(service);

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service.stop();
});

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The gateway may close it.
  socket.on('error', () => undefined);
  return socket;
}

/** An app whose requests are answered when `release` is called. Counts those that arrived and those under way. */
async function startHeldApp() {
  const app: FastifyInstance = Fastify();
  const held: (() => void)[] = [];
  const counts = { arrived: 0, most: 0 };
  let isReleased = false;
  app.server.on('request', () => {
    counts.arrived += 1;
  });
  runPipelinedInOrder(app);
  app.post('/echo', async (request) => {
    if (!isReleased) await new Promise<void>((resolve) => held.push(resolve));
    return request.body;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const release = () => {
    counts.most = held.length;
    isReleased = true;
    for (const resolve of held) resolve();
  };
  return { app, url, held, counts, release };
}

test('requests of a connection run one after the other, the rest is read later, and all are answered in order', async () => {
  const { app, url, held, counts, release } = await startHeldApp();
  const count = 10_000;
  const socket = open(url);
  let answers = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answers += text;
  });
  socket.write(Array.from({ length: count }, (_, index) => post('/echo', `{"index":${index}}`)).join(''));
  await waitUntil(() => held.length > 0);
  // Nothing tells that no more will arrive.
  await delay(300);
  expect(counts.arrived).toBeLessThan(2_000);
  release();
  expect(counts.most).toBe(1);
  await waitUntil(() => answers.endsWith(`{"index":${count - 1}}`));
  const order = [...answers.matchAll(/\{"index":(\d+)\}/g)].map(([, index]) => Number(index));
  expect(order).toEqual(Array.from({ length: count }, (_, index) => index));
  socket.destroy();
  await app.close();
});

/** Sends five pipelined requests, whose answers have 32 MiB each, and reads nothing. Counts the requests that run. */
async function startUnreadApp() {
  const app = Fastify();
  const answer = Buffer.alloc(32 * 1_048_576);
  let runs = 0;
  runPipelinedInOrder(app);
  app.get('/', async () => {
    runs += 1;
    return answer;
  });
  const closed = new Promise((resolve) => {
    app.server.once('connection', (connection: Socket) => connection.once('close', resolve));
  });
  const socket = open(await app.listen({ port: 0, host: '127.0.0.1' })).pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5));
  await waitUntil(() => runs > 0);
  return { app, socket, closed, runs: () => runs };
}

test('while an answer is not read, the next requests of its connection do not run', async () => {
  const { app, socket, runs } = await startUnreadApp();
  // Nothing tells that no more will run.
  await delay(300);
  expect(runs()).toBe(1);
  socket.resume();
  await waitUntil(() => runs() === 5);
  socket.destroy();
  await app.close();
});

test('the requests that wait for an unread answer do not run when the caller hangs up', async () => {
  const { app, socket, closed, runs } = await startUnreadApp();
  socket.destroy();
  await closed;
  await app.close();
  expect(runs()).toBe(1);
});

test('10,000 pipelined searches whose answers are never read take little memory, and others are served', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => `Deploy ${index} ${'x'.repeat(8_000)}`);
  for (const text of texts) await remember(service, 'pipelined', text);
  const search = post('/v1/memory/search', '{"scope_id":"pipelined","query":"deploy","limit":50}');
  await gateway.client.send('POST', '/v1/memory/search', {
    scope_id: 'pipelined',
    query: 'deploy',
    limit: 50,
  });
  const before = await residentMegabytes(gateway.pid);
  const stalled = open(gateway.url);
  stalled.pause();
  stalled.write(search.repeat(10_000));
  let most = before;
  for (let round = 0; round < 30; round += 1) {
    const reply = await gateway.client.send('POST', '/v1/memory/search', {
      scope_id: 'other',
      query: 'deploy',
    });
    expect(reply.status).toBe(200);
    most = Math.max(most, await residentMegabytes(gateway.pid));
    await delay(100);
  }
  stalled.destroy();
  expect(most - before).toBeLessThan(120);
});

test('a reader that takes no byte of its answer is cut off, and a slow one is not', async () => {
  // Longer than a pause of the machine, in which the slow reader cannot read.
  const readerTimeoutMs = 2_500;
  const impatient = await startService({ readerTimeoutMs });
  const texts = Array.from({ length: 50 }, (_, index) => `Deploy ${index} ${'x'.repeat(8_000)}`);
  for (const text of texts) await remember(impatient, 'stalled', text);
  const search = post('/v1/memory/search', '{"scope_id":"stalled","query":"deploy","limit":50}');
  const begin = () => {
    const socket = open(impatient.url);
    let isClosed = false;
    socket.once('close', () => {
      isClosed = true;
    });
    socket.pause();
    socket.write(search.repeat(50));
    return { socket, isClosed: () => isClosed };
  };
  const accepted: Socket[] = [];
  const onAccept = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', onAccept);
  onTestFinished(() => {
    unsubscribe('net.server.socket', onAccept);
  });
  const stalled = begin();
  const slow = begin();
  const reading = setInterval(() => slow.socket.read(100_000), 50);
  await once(stalled.socket, 'connect');
  const atGateway = await waitUntil(() =>
    accepted.find(({ remotePort }) => remotePort === stalled.socket.localPort),
  );
  await waitUntil(() => atGateway.destroyed);
  clearInterval(reading);
  expect(slow.isClosed()).toBe(false);
  stalled.socket.resume();
  await waitUntil(stalled.isClosed);
  expect(stalled.socket.bytesRead).toBeLessThan(50 * 400_000);
  slow.socket.destroy();
  await impatient.stop();
});

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
