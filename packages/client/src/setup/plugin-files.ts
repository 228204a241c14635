import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeFolder } from '../local/user-state.ts';
import type { SetupHost } from './hosts.ts';

/** Where the plugins lie: beside a released package, or in a clone. */
const sources = ['../../plugins/', '../../../../integrations/'].map((path) => {
  return fileURLToPath(new URL(path, import.meta.url));
});

/** Folders of a user for data and settings. */
export interface UserFolders {
  data: string;
  config: string;
}

/** The folders of a user; undefined without a home folder. */
export function userFolders(env: NodeJS.ProcessEnv): UserFolders | undefined {
  const home = homeFolder();
  const data = env['XDG_DATA_HOME'] || (home && join(home, '.local', 'share'));
  const config = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'));
  return data && config ? { data: join(data, 'continuity', 'plugins'), config } : undefined;
}

/** The plugin of one host as files: their absolute paths and content, ready for the folder of this user. */
export function pluginFiles(host: SetupHost, folders: UserFolders, version: string): Map<string, string> {
  const source = sources.find((path) => existsSync(join(path, 'continuity')));
  if (source === undefined) throw new Error('The plugins are not part of this installation.');
  const target = join(folders.data, version);
  const program = join(target, 'continuity', 'hooks', 'continuity-hook.mjs');
  const files = new Map<string, string>();
  for (const path of namesBelow(source)) {
    if (!host.files.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)))) continue;
    const content = readFileSync(join(source, path), 'utf8');
    // A host that copies its plugin does not say where the copy lies.
    files.set(
      join(target, path),
      content.replaceAll('@CONTINUITY_HOOK@', JSON.stringify(program).slice(1, -1)),
    );
  }
  if (host.file !== undefined) {
    const adapter = readFileSync(join(source, 'opencode', 'continuity.js'), 'utf8');
    const from = "'../continuity/hooks/continuity-hook.mjs'";
    files.set(join(folders.config, host.file), adapter.replace(from, JSON.stringify(program)));
  }
  return files;
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

/** Digest of a file; undefined without one. */
export function digestOfFile(path: string): string | undefined {
  return existsSync(path) ? digestOf(readFileSync(path, 'utf8')) : undefined;
}

export function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Writes a file at once; nothing where it already is so. Returns whether it was written. */
export function writeIfOther(path: string, content: string): boolean {
  if (digestOfFile(path) === digestOf(content)) return false;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
  return true;
}

/** Removes a file, and the folders that it leaves empty, up to `root`. */
export function removeFile(path: string, root: string): void {
  rmSync(path, { force: true });
  for (let folder = dirname(path); folder.startsWith(root + sep); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
