import { StartRefusedError } from './start-refused.ts';

/** Where a server listens, and the setting that has the port. */
interface ListenAddress {
  host: string;
  port: number;
  setting: 'PORT' | 'METRICS_PORT' | 'WORKER_METRICS_PORT';
}

/** Settles like `listening`, but throws `StartRefusedError` if another program uses the port. */
export async function refuseUsedPort<T>(
  listening: Promise<T>,
  { host, port, setting }: ListenAddress,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartRefusedError(
      `Another program uses port ${port} of ${host}. Stop it, or set ${setting} to another port.`,
    );
  }
}
