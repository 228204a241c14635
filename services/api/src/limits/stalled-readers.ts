import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes a connection whose caller has taken no byte of an answer for `timeoutMs`, so that the answer does not stay in memory. A
 * caller who waits for an answer, or reads slowly, is not affected.
 */
export function cutOffStalledReaders(server: Server, timeoutMs: number): void {
  server.setTimeout(timeoutMs, (socket) => {
    if (socket.writableLength > 0) socket.destroy();
    // The listener also gets Node's keep-alive timeout, which has another value.
    else if (socket.timeout !== timeoutMs) closeIdle(socket);
  });
}

/**
 * Closes a connection unless a request has arrived. After a pause of the process, the timeouts that have passed come before the
 * requests that wait.
 */
function closeIdle(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}
