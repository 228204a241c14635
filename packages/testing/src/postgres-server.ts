import { EmbeddedPostgres, freePort } from '@continuity/embedded-postgres';
import { leash, unleash } from './leash.ts';
import { temporaryDirectory } from './temporary.ts';

/** A PostgreSQL of one test's own. After `stop` or `kill`, `start` brings it back with its data on the same port. */
export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
};

/** Starts a PostgreSQL with an empty database. `durable: false` trades safety from crashes for speed. */
export async function startPostgres(
  options: { durable?: boolean; settings?: Readonly<Record<string, string>> } = {},
): Promise<PostgresServer> {
  const postgres = new EmbeddedPostgres({
    directory: await temporaryDirectory('postgres'),
    port: await freePort(),
    ...options,
  });
  const leashed = async (end: () => Promise<void>) => {
    const { pid } = postgres;
    await end();
    if (pid !== undefined) unleash(pid);
  };
  const start = async () => {
    await postgres.start();
    if (postgres.pid !== undefined) leash({ pid: postgres.pid });
  };
  await start();
  return {
    url: postgres.url(),
    port: postgres.port,
    start,
    stop: () => leashed(() => postgres.stop()),
    kill: () => leashed(() => postgres.kill()),
  };
}
