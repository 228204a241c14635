import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { cite, prepared, stated } from '../support/handoff.ts';
import { remember } from '../support/memory.ts';
import { readReply } from '../support/raw-http.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
await remember(service, 'stopping', 'before');

let gateway: Awaited<ReturnType<typeof startSecondGateway>>;
let socket: Socket;

beforeEach(async () => {
  gateway = await startSecondGateway(service);
  socket = await openConnection();
});

afterEach(() => {
  socket.destroy();
});

afterAll(() => service.stop());

/** A request as its bytes, on a connection that is to stay open. */
function requestOf(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');
}

const search = requestOf('/v1/memory/search', { scope_id: 'stopping', query: 'before' });

/** Reads until the server closes the connection. */
async function receivedBy(connection: Socket): Promise<string> {
  return (await (connection.toArray() as Promise<Buffer[]>)).join('');
}

async function openConnection(url = gateway.url): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const opened = connect(Number(port), hostname);
  await once(opened, 'connect');
  return opened;
}

async function refusesConnections(url: string): Promise<boolean> {
  return await fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  );
}

/** Sends a remember and blocks it in the database until the test asks for the answer. */
async function sendHeldUp(): Promise<{ release(): Promise<void> }> {
  const blocker = new pg.Client({ connectionString: service.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query("SELECT FROM artifacts WHERE artifact_id = 'memory' FOR UPDATE");
  socket.write(requestOf('/v1/memory/remember', { scope_id: 'stopping', kind: 'fact', text: 'under way' }));
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await waitUntil(async () => (await query(service.databaseUrl, waits)).length > 0);
  return { release: () => blocker.end() };
}

test('a stop waits for what is under way, and for no connection that its caller keeps open', async () => {
  const { release } = await sendHeldUp();
  const answer = receivedBy(socket);
  const stopped = gateway.stop();
  await release();
  const reply = readReply(await answer);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('connection')).toBe('close');
  await stopped;
});

test('spec 00 §3: a request that comes while the gateway stops is answered like any 503', async () => {
  const held = await sendHeldUp();
  const other = await openConnection();
  const answer = receivedBy(other);
  const stopped = gateway.stop();
  await waitUntil(async () => (await gateway.send('GET', '/health/ready')).status === 503);
  expectError(await gateway.send('GET', '/v1/capabilities'), 503, 'runtime_not_ready');
  other.write(search);
  const refused = readReply(await answer);
  expectError(refused, 503, 'runtime_not_ready');
  expect(refused.headers.get('connection')).toBe('close');
  await held.release();
  await stopped;
});

test('spec 00 §3: so is one that is still on its way when the connections are closed', async () => {
  const held = await sendHeldUp();
  const other = await openConnection();
  const answer = receivedBy(other);
  other.write(search.slice(0, 20));
  const stopped = gateway.stop();
  await held.release();
  await waitUntil(() => refusesConnections(gateway.url));
  other.write(search.slice(20));
  expectError(readReply(await answer), 503, 'runtime_not_ready');
  await stopped;
});

test('a caller that reads slowly gets the whole of an answer that was begun before the stop', async () => {
  const text = '\u0001'.repeat(8_192);
  const omissions = Array.from({ length: 64 }, () => ({ text, citation: null }));
  const state = omissions.map(() => stated(text, cite('evidence')));
  const handoff = prepared('stopping', 0, { state, omissions });
  const body = { scope_id: 'stopping', selection: 'prepared', prepared: handoff };
  socket.write(requestOf('/v1/handoff/continue', body));
  // The first bytes are there, and the rest waits for a reader.
  await once(socket, 'readable');
  const stopped = gateway.stop();
  await waitUntil(async () => (await gateway.send('GET', '/health/ready')).status === 503);
  const reply = readReply(await receivedBy(socket));
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ content: handoff.content });
  await stopped;
});
