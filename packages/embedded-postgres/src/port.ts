import { createServer } from 'node:net';

/** A TCP port on 127.0.0.1 that was free a moment ago, as the operating system chose it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port was assigned'));
        else resolve(address.port);
      });
    });
  });
}
