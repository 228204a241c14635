import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { cutOffStalledReaders } from '../../src/limits/stalled-readers.ts';

const keepAliveMs = 500;
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A connection to a server that closes idle connections, after its first answer. */
async function openIdleConnection() {
  const server = createServer((_request, response) => void response.end('answered'));
  Object.assign(server, { keepAliveTimeout: keepAliveMs, keepAliveTimeoutBuffer: 0 });
  cutOffStalledReaders(server, 30_000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(request);
  await once(socket, 'data');
  return socket;
}

/** Stops this process and its timers. */
const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a request that arrives while the process is frozen is answered, although its connection has been idle for too long', async () => {
  const socket = await openIdleConnection();
  socket.write(request);
  pause(3 * keepAliveMs);
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  expect(String(answer)).toContain('answered');
});

test('an idle connection is closed', async () => {
  const socket = await openIdleConnection();
  expect(await Promise.race([once(socket, 'close'), delay(5_000, 'open')])).not.toBe('open');
});
