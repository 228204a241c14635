import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The home folder; undefined for a user without one. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Folder of what hooks, imports and setup keep; undefined for a user without a home folder, such as one of a container. */
export function stateFolder(env: NodeJS.ProcessEnv): string | undefined {
  const home = homeFolder();
  const base = env['XDG_STATE_HOME'] || (home && join(home, '.local', 'state'));
  return base ? join(base, 'continuity') : undefined;
}

export const missingHome = 'This user has no home folder. Set HOME or XDG_STATE_HOME.';

/** Eight characters that make the name of a file unique. The module `node:crypto` takes longer to load than a hook may take. */
export function randomName(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}

/** Writes a file that only this user can read. It is complete or not there. Its folder is made, closed to others. */
export function writeWhole(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The id of the process tells whether a file that a kill has left is still being written.
  const temporary = join(folder, `${process.pid}-${randomName()}.tmp`);
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes a temporary file whose writer was killed. */
export function removeIfAbandoned(folder: string, name: string): void {
  if (!isRunning(Number.parseInt(name, 10))) rmSync(join(folder, name), { force: true });
}

/** Whether a process of this id runs. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs a best-effort step: undefined where a file is not there. Throws any other error. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
