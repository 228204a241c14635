import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../local/json-values.ts';
import { UsageError } from './errors.ts';
import { decodeText } from './input.ts';

/** The address and settings of a service. */
export interface Profile {
  url?: string;
  token?: string;
  scope?: string;
}

export interface Config {
  /** The profile that is used without `--profile`. */
  current?: string;
  /** Without a prototype, so that a profile can have any name, such as `__proto__`. */
  profiles: Record<string, Profile>;
}

/** Path of the configuration file. Throws `UsageError` for a user without a home folder. */
export function configPath(env: NodeJS.ProcessEnv): string {
  const path = findConfigPath(env);
  if (path !== undefined) return path;
  throw new UsageError('This user has no home folder. Set HOME or XDG_CONFIG_HOME.');
}

/** Path of the configuration file; undefined for a user without a home folder, such as one of a container. */
function findConfigPath(env: NodeJS.ProcessEnv): string | undefined {
  const base = env['XDG_CONFIG_HOME'];
  if (base) return join(base, 'continuity', 'config.json');
  try {
    return join(homedir(), '.config', 'continuity', 'config.json');
  } catch {
    return undefined;
  }
}

/** Reads the profiles of a user; none without a file or a home folder. Throws as `readConfig` does. */
export async function readConfigOf(env: NodeJS.ProcessEnv): Promise<Config> {
  const path = findConfigPath(env);
  return path === undefined ? { profiles: withoutPrototype({}) } : await readConfig(path);
}

/** Reads the profiles; none without a file. Throws `UsageError` for a file that others can read or that is damaged. */
export async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    const status = await stat(path);
    // Reading a FIFO would wait for its writer.
    if (!status.isFile()) throw new UsageError(`${path} is no regular file. Remove it.`);
    const { mode } = status;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError(`Other users can read ${path}, which holds tokens. Run: chmod 600 ${path}`);
    }
    text = decodeText(await readFile(path), path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return { profiles: withoutPrototype({}) };
    throw error;
  }
  const config = parseConfig(text);
  if (config === undefined)
    throw new UsageError(`${path} is damaged. Correct it, or delete it and set the profiles anew.`);
  return config;
}

function parseConfig(text: string): Config | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isConfig(value) ? { ...value, profiles: withoutPrototype(value.profiles) } : undefined;
  } catch {
    return undefined;
  }
}

function isConfig(value: unknown): value is Config {
  if (!isObject(value)) return false;
  const { current, profiles } = value;
  return isOptionalString(current) && isObject(profiles) && Object.values(profiles).every(isProfile);
}

function isProfile(value: unknown): boolean {
  return isObject(value) && [value['url'], value['token'], value['scope']].every(isOptionalString);
}

const isOptionalString = (value: unknown) => value === undefined || typeof value === 'string';

function withoutPrototype(profiles: Config['profiles']): Config['profiles'] {
  return Object.assign(Object.create(null) as Config['profiles'], profiles);
}

/** Replaces the file at once. Only its owner can read it. */
export async function writeConfig(path: string, config: Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
