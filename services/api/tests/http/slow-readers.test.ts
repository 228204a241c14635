import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { longestHold, watchEventLoop } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { beginLongAnswer } from '../support/long-answer.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const gateway = await startGatewayProcess(service, {}, { nodeArguments: watchEventLoop });
const holdOf = longestHold(gateway);

beforeAll(async () => {
  await query(
    service.databaseUrl,
    `INSERT INTO scopes (tenant_id, scope_id, title, summary)
     SELECT tenant_id, 'scope-' || n, '', '' FROM tenants, generate_series(1, 1000) AS n`,
    [],
  );
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service.stop();
});

function pipelined(count: number): Socket {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  const body = '{"selection":{"mode":"all"},"period":"30d"}';
  const head = `POST /v1/stats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body}`.repeat(count));
  return socket;
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

test('long statistics are complete, and written without holding the event loop for 100 ms', async () => {
  await buffer(await beginLongAnswer(gateway));
  await holdOf();
  const answer = await beginLongAnswer(gateway);
  const body = await buffer(answer);
  expect(await holdOf()).toBeLessThan(100);
  expect(body.length).toBeGreaterThan(5_000_000);
  expect(Number(answer.headers['content-length'])).toBe(body.length);
  expect(JSON.parse(String(body)).by_scope).toHaveLength(1_000);
});

test('unread answers of many megabytes take little memory', async () => {
  for (let round = 0; round < 5; round += 1) await buffer(await beginLongAnswer(gateway));
  const before = await residentMegabytes();
  const stalled = [pipelined(16), pipelined(16), pipelined(16)];
  let last = before;
  for (let round = 0; round < 40; round += 1) {
    expect((await gateway.client.send('GET', '/health/live')).status).toBe(200);
    last = await residentMegabytes();
    await delay(250);
  }
  for (const socket of stalled) socket.destroy();
  // The answers have 48 times 9 MB. While they are computed, each tenant takes up to 200 MB, garbage included.
  expect(last - before).toBeLessThan(300);
}, 60_000);
