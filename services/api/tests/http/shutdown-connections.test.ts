import { connect, type Socket } from 'node:net';
import { underLoad, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLength } from '../support/envelope.ts';
import { startService, type TestService } from '../support/service.ts';

/** Far below the time that callers would hold up the end of a server that waits for them. */
const soonMs = 10_000;

let service: TestService;
let sockets: Socket[];

beforeEach(() => {
  sockets = [];
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

const start = async (environment: Record<string, string> = {}) => {
  service = await startService({ environment });
};

/** A connection that has sent `bytes`, and all that it is answered until the server closes it. */
async function open(bytes = ''): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(service.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let answered = '';
  socket
    .on('data', (chunk) => {
      answered += String(chunk);
    })
    .once('close', () => resolve(answered))
    .once('error', reject);
  await new Promise((connected) => socket.once('connect', connected));
  if (bytes !== '') await new Promise((sent) => socket.write(bytes, sent));
  return { socket, answer: promise };
}

/** Begins the stop, and resolves when the server accepts no more connections. */
async function beginStop(): Promise<{ ended: Promise<number> }> {
  const begun = performance.now();
  const ended = service.stop().then(() => performance.now() - begun);
  const { hostname, port } = new URL(service.url);
  await waitUntil(async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect(Number(port), hostname, () => resolve(false)).once('error', () => resolve(true));
    return await promise.finally(() => socket.destroy());
  });
  return { ended };
}

const half = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n`;
const body = JSON.stringify({ scope_id: 's', source_id: 'a', content: 'x' });
const capture = `${half('POST /v1/sources/content')}${withLength(body).join('\r\n')}\r\n\r\n`;

test('spec 10 §2: what arrives while the service stops is answered as at its start', async () => {
  await start();
  const live = await open(half('GET /health/live'));
  const ready = await open(half('GET /health/ready'));
  const scopes = await open(half('GET /v1/scopes'));
  // Until the server has read the bytes, the connections count as unused.
  await service.send('GET', '/health/live');
  const { ended } = await beginStop();
  for (const { socket } of [live, ready, scopes]) socket.write('\r\n');
  expect(await live.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"status":"ok"\}$/);
  expect(await ready.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\n\{"status":"not_ready","checks":/);
  expect(await scopes.answer).toMatch(
    /^HTTP\/1\.1 503 [\s\S]*\r\n\r\n\{"error":\{"code":"runtime_not_ready"/,
  );
  for (const { answer } of [live, ready, scopes]) {
    expect(await answer).toMatch(/\r\nx-service-request-id: [0-9a-f]{32}\r\n/i);
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i);
  }
  expect(await scopes.answer).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(await ended).toBeLessThan(underLoad(soonMs));
});

test('a connection that its caller keeps is closed with the last answer, and holds up no stop', async () => {
  await start();
  const { socket, answer } = await open(`${capture}${body.slice(0, -1)}`);
  await service.send('GET', '/health/live');
  const { ended } = await beginStop();
  socket.write(body.slice(-1));
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n/i);
  expect(await ended).toBeLessThan(underLoad(soonMs));
});

test('a connection on which nothing was sent holds up no stop', async () => {
  await start();
  const { answer } = await open();
  await service.send('GET', '/health/live');
  const { ended } = await beginStop();
  expect(await answer).toBe('');
  expect(await ended).toBeLessThan(underLoad(soonMs));
});

test.each([
  ['headers', half('GET /v1/scopes')],
  ['a body', capture],
])('a caller that never ends %s is refused long before the grace period is over', async (_what, bytes) => {
  const graceMs = 8_000;
  await start({ SHUTDOWN_GRACE_MS: String(graceMs) });
  const served = await open(`${half('GET /health/live')}\r\n`);
  const unfinished = await open(bytes);
  await service.send('GET', '/health/live');
  const { ended } = await beginStop();
  expect(await served.answer).toMatch(/^HTTP\/1\.1 200 [^{]*\{"status":"ok"\}$/);
  const answer = await unfinished.answer;
  expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\n\{"error":\{"code":"runtime_not_ready"/);
  expect(answer).toMatch(/\r\nx-service-request-id: [0-9a-f]{32}\r\n/i);
  expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(await ended).toBeLessThan(underLoad(graceMs));
});

test('a request that had its answer before it has wholly arrived gets no second one, and holds up no stop', async () => {
  const graceMs = 8_000;
  await start({ SHUTDOWN_GRACE_MS: String(graceMs) });
  const { socket, answer } = await open(`${half('POST /nowhere')}Content-Length: 5\r\n\r\n`);
  await new Promise((answered) => socket.once('data', answered));
  const { ended } = await beginStop();
  expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  expect(await ended).toBeLessThan(underLoad(graceMs));
});
