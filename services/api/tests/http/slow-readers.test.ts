import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { longestHold, watchEventLoop } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { beginLongAnswer, plantManyScopes, stallLongAnswers } from '../support/long-answer.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const gateway = await startGatewayProcess(service, {}, { nodeArguments: watchEventLoop });
const holdOf = longestHold(gateway);

beforeAll(() => plantManyScopes(service.databaseUrl));

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service.stop();
});

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
  const stalled = [
    stallLongAnswers(gateway, 16),
    stallLongAnswers(gateway, 16),
    stallLongAnswers(gateway, 16),
  ];
  let last = before;
  for (let round = 0; round < 40; round += 1) {
    expect((await gateway.client.send('GET', '/health/live')).status).toBe(200);
    last = await residentMegabytes();
    await delay(250);
  }
  for (const socket of stalled) socket.destroy();
  // The answers have 48 times 9 MB. While they are computed, each tenant takes up to 200 MB, garbage included.
  expect(last - before).toBeLessThan(300);
});
