import { StartRefusedError } from '@continuity/shared/kernel';
import type { FastifyInstance } from 'fastify';

/** Listens on the port of a setting. Resolves to `http://host:port`. Throws `StartRefusedError` if another program uses the port. */
export async function listenOn(
  app: FastifyInstance,
  { host, port, setting }: { host: string; port: number; setting: 'PORT' | 'METRICS_PORT' },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartRefusedError(
      `Another program uses port ${port} of ${host}. Stop it, or set ${setting} to another port.`,
    );
  }
}
