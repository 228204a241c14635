import { type ExecFileException, execFile } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryDirectory } from './temporary.ts';

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
