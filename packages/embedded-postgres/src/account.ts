import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const ACCOUNT = 'postgres';
const ROOT_HOME = '/var/lib/continuity';

/** The user and group that PostgreSQL runs as; empty: the ones of this process. */
export type Account = { uid?: number; gid?: number };

/** Whether this process is root, as which PostgreSQL refuses to run. */
export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/** The account to run PostgreSQL as. As root it is the system account `postgres`, made if there is none. */
export async function serverAccount(): Promise<Account> {
  if (!runsAsRoot()) return {};
  const existing = await accountIds();
  if (existing) return existing;
  await execute('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT]).catch(
    (cause: unknown) => {
      throw new Error(
        `PostgreSQL does not run as root, and the account "${ACCOUNT}" could not be made. ` +
          'Start as an ordinary user, or set DATABASE_URL.',
        { cause },
      );
    },
  );
  const made = await accountIds();
  if (!made) throw new Error(`The account "${ACCOUNT}" was made but cannot be found.`);
  return made;
}

async function accountIds(): Promise<{ uid: number; gid: number } | undefined> {
  const id = async (flag: string) => Number((await execute('id', [flag, ACCOUNT])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * A directory that PostgreSQL can use: `preferred`, or, where this is root and an ancestor of it shuts out the account
 * that PostgreSQL then runs as (a checkout under /root, say), one of the same name below /var/lib/continuity.
 */
export async function reachableDirectory(preferred: string, name: string): Promise<string> {
  const isReachable = !runsAsRoot() || (await othersMayEnter(dirname(resolve(preferred))));
  return isReachable ? preferred : join(ROOT_HOME, name);
}

async function othersMayEnter(directory: string): Promise<boolean> {
  const mode = await stat(directory).then(
    (found) => found.mode,
    () => undefined,
  );
  if (mode !== undefined && (mode & 0o001) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || (await othersMayEnter(parent));
}
