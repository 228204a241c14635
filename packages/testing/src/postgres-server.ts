import { EmbeddedPostgres, freePort } from '@continuity/embedded-postgres';
import { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';
import { temporaryDirectory } from './temporary.ts';

/** A PostgreSQL server of one test. After `stop` or `kill`, `start` starts it again with its data, on the same port. */
export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
};

/** Starts a PostgreSQL server. `durable: false` turns fsync off: faster, but a crash may lose data. */
export async function startPostgres(
  options: { durable?: boolean; settings?: Readonly<Record<string, string>> } = {},
): Promise<PostgresServer> {
  const postgres = new EmbeddedPostgres({
    directory: await temporaryDirectory('postgres'),
    port: await freePort(),
    ...options,
  });
  const endWith = async (end: () => Promise<void>) => {
    const { pid } = postgres;
    await end();
    if (pid !== undefined) cancelCleanUp(pid);
  };
  const start = async () => {
    await postgres.start();
    if (postgres.pid !== undefined) cleanUpOnExit({ pid: postgres.pid });
  };
  await start();
  return {
    url: postgres.url(),
    port: postgres.port,
    start,
    stop: () => endWith(() => postgres.stop()),
    kill: () => endWith(() => postgres.kill()),
  };
}
