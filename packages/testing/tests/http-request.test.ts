import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { NoAnswerError, sendRequest } from '../src/http-request.ts';

const servers: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Returns the URL of a server that acts on each request of a connection. */
async function serve(act: (socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => socket.on('error', () => undefined).on('data', () => act(socket)));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const head = 'HTTP/1.1 200 OK\r\nVary: a\r\nVary: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n';

test('an answer has its status, its text and all values of a header', async () => {
  const url = await serve((socket) => socket.end(`${head}ok`));
  const { status, headers, text } = await sendRequest(url, 'POST', {}, 'body');
  expect({ status, text, vary: headers.get('vary') }).toEqual({ status: 200, text: 'ok', vary: 'a, b' });
});

test.each([
  ['closed', (socket: Socket) => socket.destroy()],
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
])('a connection that is %s before an answer begins is a NoAnswerError', async (_how, act) => {
  const url = await serve(act);
  await expect(sendRequest(url, 'GET', {})).rejects.toThrow(NoAnswerError);
});

test.each([
  ['closed', (socket: Socket) => socket.destroy()],
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
])('a connection that is %s in an answer is another error', async (_how, act) => {
  const url = await serve((socket) => {
    socket.write(`${head}o`);
    setTimeout(act, 50, socket);
  });
  const error = await sendRequest(url, 'GET', {}).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(NoAnswerError);
});
