import { createServer } from 'node:net';

/** Asks the operating system for a free TCP port on 127.0.0.1. Another process may take it before it is used. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string')
          reject(new Error('The operating system assigned no port.'));
        else resolve(address.port);
      });
    });
  });
}
