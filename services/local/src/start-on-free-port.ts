import { once } from 'node:events';
import { createServer } from 'node:net';
import { EmbeddedPostgres, freePort } from '@continuity/embedded-postgres';

const maxTries = 5;

/**
 * Starts an embedded PostgreSQL on a port of `choosePort`. A first start creates the data directory before it binds the port, so another
 * program may take the port meanwhile: tries other ports then.
 */
export async function startOnFreePort(
  directory: string,
  password: string,
  choosePort: () => Promise<number> = freePort,
): Promise<EmbeddedPostgres> {
  for (let tries = 1; ; tries += 1) {
    const port = await choosePort();
    const server = new EmbeddedPostgres({ directory, port, password });
    try {
      await server.start();
      return server;
    } catch (error) {
      if (tries === maxTries || !(await isTaken(port))) throw error;
    }
  }
}

/** Whether another program listens on a port of the loopback address. */
async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
