import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** The address and settings of a service. */
export interface Profile {
  url?: string;
  token?: string;
  scope?: string;
}

export interface Config {
  /** The profile that is used without `--profile`. */
  current?: string;
  profiles: Record<string, Profile>;
}

export function configPath(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base, 'continuity', 'config.json');
}

/** Reads the profiles; none without a file. Throws `UsageError` for a file that others can read or that is damaged. */
export async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError(`Other users can read ${path}, which holds tokens. Run: chmod 600 ${path}`);
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  const config = parseConfig(text);
  if (config === undefined)
    throw new UsageError(`${path} is damaged. Correct it, or delete it and set the profiles anew.`);
  return config;
}

function parseConfig(text: string): Config | undefined {
  try {
    const value = JSON.parse(text) as Partial<Config> | null;
    if (typeof value?.profiles !== 'object' || value.profiles === null) return undefined;
    return value as Config;
  } catch {
    return undefined;
  }
}

/** Replaces the file at once. Only its owner can read it. */
export async function writeConfig(path: string, config: Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
