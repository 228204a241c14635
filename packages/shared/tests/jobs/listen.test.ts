import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../src/jobs/listen.ts';

const sockets: Socket[] = [];
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on('error', () => undefined);
  // The first attempt to connect fails at once, and the next one gets no answer.
  if (sockets.length === 1) socket.destroy();
  else socket.on('end', () => socket.end());
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a listener closes while it connects to a server that ends the connection without an answer', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const listener = await listen({
    url: `postgresql://nobody@127.0.0.1:${port}/none`,
    channel: 'test',
    onPayload: () => undefined,
    onError: () => undefined,
  });
  const [second] = await once(server, 'connection');
  // It has sent its first message, so that it waits for the answer.
  await once(second as Socket, 'data');

  const closing = listener.close();
  (second as Socket).end();

  await expect(closing).resolves.toBeUndefined();
});
