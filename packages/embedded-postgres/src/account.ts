import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const accountName = 'postgres';
const rootHome = '/var/lib/continuity';

/** User and group of the PostgreSQL process; empty means those of this process. */
export type Account = { uid?: number; gid?: number };

/** Whether this process runs as root, which PostgreSQL refuses. */
const isRoot = (): boolean => process.getuid?.() === 0;

/** Returns the account for PostgreSQL. If this process runs as root, that is the system account `postgres`, created if missing. */
export async function serverAccount(): Promise<Account> {
  if (!isRoot()) return {};
  const existing = await accountIds();
  if (existing) return existing;
  await execute('useradd', ['--system', '--user-group', '--no-create-home', accountName]).catch(
    (cause: unknown) => {
      throw new Error(
        `PostgreSQL does not run as root, and the account "${accountName}" could not be created. ` +
          'Start as an ordinary user, or set DATABASE_URL.',
        { cause },
      );
    },
  );
  const created = await accountIds();
  if (!created) throw new Error(`The account "${accountName}" was created but cannot be found.`);
  return created;
}

async function accountIds(): Promise<{ uid: number; gid: number } | undefined> {
  const id = async (flag: string) => Number((await execute('id', [flag, accountName])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * Returns a directory that PostgreSQL can access: `preferred`, or `name` below /var/lib/continuity. The latter is used if
 * this process runs as root and the account of PostgreSQL cannot enter an ancestor of `preferred`, such as /root.
 */
export async function reachableDirectory(preferred: string, name: string): Promise<string> {
  const isReachable = !isRoot() || (await canOthersEnter(dirname(resolve(preferred))));
  return isReachable ? preferred : join(rootHome, name);
}

async function canOthersEnter(directory: string): Promise<boolean> {
  const mode = await stat(directory).then(
    (found) => found.mode,
    () => undefined,
  );
  if (mode !== undefined && (mode & 0o001) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || (await canOthersEnter(parent));
}
