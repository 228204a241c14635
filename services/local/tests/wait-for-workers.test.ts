import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForWorkers } from '../src/wait-for-workers.ts';

/** The checks of each answer; the last one repeats. */
let answers: Record<string, string>[] = [];
let asked = 0;
const server = createServer((_request, response) => {
  const checks = answers[Math.min(asked, answers.length - 1)];
  asked += 1;
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: 'degraded', checks }));
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('waits until every queue has a live worker, and for nothing else', async () => {
  asked = 0;
  answers = [
    { 'worker.memory-flush': 'unavailable', 'worker.report-render': 'unavailable' },
    { 'worker.memory-flush': 'ready', 'worker.report-render': 'timeout' },
    { 'worker.memory-flush': 'ready', 'worker.report-render': 'ready', 'inference.generation': 'timeout' },
  ];
  expect(await waitForWorkers(url)).toEqual([]);
  expect(asked).toBe(3);
});

test('names the workers that have not started when its time is over', async () => {
  answers = [{ 'worker.memory-flush': 'ready', 'worker.report-render': 'unavailable' }];
  expect(await waitForWorkers(url, 0)).toEqual(['worker.report-render']);
});

test('waits for a gateway that does not answer', async () => {
  expect(await waitForWorkers('http://127.0.0.1:1', 0)).toEqual(['gateway']);
});
