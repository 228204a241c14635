import type { Server } from 'node:http';

/**
 * Closes a connection whose caller has taken no byte of an answer for `timeoutMs`, so that the answer does not stay in memory. A
 * caller who waits for an answer, or reads slowly, is not affected.
 */
export function cutOffStalledReaders(server: Server, timeoutMs: number): void {
  server.setTimeout(timeoutMs, (socket) => {
    // The listener also gets Node's keep-alive timeout, which has another value and closes an idle connection.
    if (socket.writableLength > 0 || socket.timeout !== timeoutMs) socket.destroy();
  });
}
