import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { databaseUrl } from './database.ts';
import { freePort } from './free-port.ts';
import { findPgbouncer } from './pgbouncer-program.ts';
import { runServerProgram, type ServerProgram } from './server-program.ts';
import { temporaryDirectory } from './temporary.ts';

/** A PgBouncer in transaction mode in front of the run's PostgreSQL. */
interface PgbouncerServer {
  /** URL through the pooler of a database of the run. */
  urlOf(directUrl: string): string;
  /** URL of its console. */
  consoleUrl: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Options of a PgBouncer. */
interface PgbouncerOptions {
  /** Named statements that it tracks of each connection. 0: none. */
  maxPreparedStatements: number;
  /** Connections to PostgreSQL, for each database. */
  poolSize: number;
  /** Default: `transaction`. */
  poolMode?: 'session' | 'transaction';
}

/** Starts a PgBouncer on 127.0.0.1. Undefined, with a sentence on standard output, if the machine has none that is new enough. */
export async function startPgbouncer(options: PgbouncerOptions): Promise<PgbouncerServer | undefined> {
  const command = await findPgbouncer();
  if (command === undefined) return undefined;
  const port = await freePort();
  const directory = await temporaryDirectory('pgbouncer');
  // The server gives up the rights of root, and reads its configuration again.
  await chmod(directory, 0o755);
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(file, configuration(port, options));
  const [program = '', ...before] = command;
  const launch = () => runServerProgram(program, [...before, file], 'process up');
  let server: ServerProgram | undefined = await launch();
  const url = (name: string) => `postgresql://postgres:any@127.0.0.1:${port}/${name}`;
  return {
    urlOf: (directUrl) => databaseUrl(url(''), new URL(directUrl).pathname.slice(1)),
    consoleUrl: url('pgbouncer'),
    start: async () => {
      server ??= await launch();
    },
    kill: async () => {
      await server?.kill();
      server = undefined;
    },
  };
}

function configuration(
  port: number,
  { maxPreparedStatements, poolSize, poolMode = 'transaction' }: PgbouncerOptions,
): string {
  const admin = new URL(inject('harness').adminUrl);
  return `[databases]
* = host=${admin.hostname} port=${admin.port || 5432} user=${decodeURIComponent(admin.username)} password=${decodeURIComponent(admin.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = postgres
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
max_prepared_statements = ${maxPreparedStatements}
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;
}
