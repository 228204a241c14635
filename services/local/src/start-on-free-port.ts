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
    const server = new EmbeddedPostgres({ directory, port: await choosePort(), password });
    try {
      await server.start();
      return server;
    } catch (error) {
      const isPortTaken = error instanceof Error && error.message.includes('could not bind');
      if (!isPortTaken || tries === maxTries) throw error;
    }
  }
}
