import { type ExecFileException, execFile } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgres } from '@continuity/embedded-postgres';
import pg from 'pg';
import { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';
import { freePort } from './free-port.ts';
import { memoryDirectory, temporaryDirectory } from './temporary.ts';

/** A PostgreSQL server of one test. After `stop` or `kill`, `start` starts it again with its data, on the same port. */
export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  /** Stops the server and all its sessions with SIGSTOP, until `wake`: their connections stay open. Linux only. */
  freeze(): Promise<void>;
  wake(): Promise<void>;
  /** Takes a base backup, also under load. Returns its directory, for `startPostgres` or `startStandby`. */
  backUp(): Promise<string>;
};

interface PostgresOptions {
  /** False: without fsync and, if there is room, in memory. Default true. */
  durable?: boolean;
  settings?: Readonly<Record<string, string>>;
  /** A base backup, which becomes the data directory. Default: a new database. */
  directory?: string;
  /** Default: a free one. */
  port?: number;
}

/** Starts a PostgreSQL server. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const makeDirectory = options.durable === false ? memoryDirectory : temporaryDirectory;
  const directory = options.directory ?? (await makeDirectory('postgres'));
  const port = options.port ?? (await freePort());
  const postgres = new EmbeddedPostgres({ ...options, directory, port });
  let frozen: number[] = [];
  const wakeFrozen = () => {
    for (const pid of frozen) sendSignal(pid, 'SIGCONT');
    frozen = [];
  };
  const endWith = async (end: () => Promise<void>) => {
    const { pid } = postgres;
    await end();
    // Frozen sessions outlive the server, and hold its memory until they wake up and notice its end.
    wakeFrozen();
    if (pid !== undefined) cancelCleanUp(pid);
  };
  const killAll = async () => {
    const sessions =
      postgres.pid === undefined ? [] : await childrenOf(postgres.pid).catch((): number[] => []);
    await postgres.kill();
    // A session that has not noticed the end of the server would answer one statement more.
    for (const pid of sessions) sendSignal(pid, 'SIGKILL');
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
    kill: () => endWith(killAll),
    freeze: async () => {
      if (postgres.pid !== undefined) frozen = await stopAll(postgres.pid);
    },
    wake: async () => wakeFrozen(),
    backUp: () => takeBaseBackup(postgres.url(), directory),
  };
}

/** Stops the server and its sessions, which lead process groups of their own. Returns their process ids. */
async function stopAll(pid: number): Promise<number[]> {
  process.kill(pid, 'SIGSTOP');
  // A stopped server starts no further session.
  const all = [pid, ...(await childrenOf(pid))];
  return all.filter((one) => sendSignal(one, 'SIGSTOP'));
}

/** Reads the process ids of the sessions and background processes of a server. Linux only. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** False if the process has ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

const execute = promisify(execFile);

/** Files of a running server that a backup must not contain. */
const filesOfProcess = ['postmaster.pid', 'postmaster.opts', 'continuity.owner', 'pg_replslot'];

/** Copies the data directory of a running server by the low-level API of backups: the embedded PostgreSQL has no pg_basebackup. */
export async function takeBaseBackup(url: string, directory: string): Promise<string> {
  const backup = await temporaryDirectory('postgres-backup');
  // The session keeps the backup open.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('backup', true)");
    await copyFiles(directory, backup);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // The backup is consistent once its own log is replayed.
    await copyFiles(join(directory, 'pg_wal'), join(backup, 'pg_wal'));
    for (const name of filesOfProcess) await rm(join(backup, name), { recursive: true, force: true });
    await execute('mkdir', ['-m', '700', join(backup, 'pg_replslot')]);
    await writeFile(join(backup, 'backup_label'), rows[0]?.labelfile ?? '');
    await takeOwnership(backup);
    return backup;
  } finally {
    await client.end();
  }
}

/** Copies a directory with its owners. A file that the server removes meanwhile is not part of the backup. */
async function copyFiles(from: string, to: string): Promise<void> {
  await execute('cp', ['-a', `${from}/.`, to], { env: { ...process.env, LC_ALL: 'C' } }).catch(
    (error: ExecFileException & { stderr: string }) => {
      const lines = error.stderr.trim().split('\n');
      if (!lines.every((line) => line.includes('No such file or directory'))) throw error;
    },
  );
}

/** Gives the files that this process has written into a data directory to the account of its server. */
export async function takeOwnership(directory: string): Promise<void> {
  const { uid, gid } = await stat(join(directory, 'PG_VERSION'));
  await execute('chown', ['-R', `${uid}:${gid}`, directory]);
}
