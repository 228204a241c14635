import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { homeFolder } from '../local/user-state.ts';
import { detectFile } from './detect.ts';
import type { FormatName, Session } from './items.ts';
import { chatgpt } from './readers/chatgpt.ts';
import { chatSessions } from './readers/chats.ts';
import { claudeAi } from './readers/claude-ai.ts';
import { claudeCodeSession } from './readers/claude-code.ts';
import { codexSession } from './readers/codex.ts';
import { copilotSession } from './readers/copilot.ts';
import { geminiSession } from './readers/gemini.ts';
import { lettaSession } from './readers/letta.ts';
import { markdownSession } from './readers/markdown.ts';
import { mem0Session } from './readers/mem0.ts';
import { ndjsonSession } from './readers/ndjson.ts';
import { opencodeSessions, opencodeStorage } from './readers/opencode.ts';
import { powercontextSession } from './readers/powercontext.ts';
import { type SessionFile, sessionFile } from './readers/session-file.ts';

/** A file to import. `name` is its path below the folder that was given. */
export interface FoundFile {
  format: FormatName;
  path: string;
  name: string;
}

/** Where a host keeps its sessions, and which files are some (spec 70 §3). */
interface Host {
  roots(env: NodeJS.ProcessEnv, home: string): string[];
  isSession(path: string): boolean;
}

const hosts: Partial<Record<FormatName, Host>> = {
  'claude-code': {
    roots: (env, home) => [join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'projects')],
    isSession: (path) => /^[^/\\]+[/\\][^/\\]+\.jsonl$/.test(path),
  },
  codex: {
    roots: (env, home) =>
      ['sessions', 'archived_sessions'].map((name) => join(env['CODEX_HOME'] || join(home, '.codex'), name)),
    isSession: (path) => /^rollout-.*\.jsonl$/.test(basename(path)),
  },
  gemini: {
    roots: (_env, home) => [join(home, '.gemini', 'tmp')],
    isSession: (path) => /[/\\]chats[/\\]session-[^/\\]*\.jsonl?$/.test(path),
  },
  opencode: {
    roots: (env, home) => [join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode')],
    isSession: (path) => path === 'opencode.db',
  },
  copilot: {
    roots: (_env, home) => [join(home, '.copilot', 'session-state')],
    isSession: (path) => basename(path) === 'events.jsonl' || /^[^/\\]+\.jsonl$/.test(path),
  },
};

export const hostNames = Object.keys(hosts) as FormatName[];

/** The sessions of a host on this machine. */
export async function discover(format: FormatName, env: NodeJS.ProcessEnv): Promise<FoundFile[]> {
  const host = hosts[format];
  const home = homeFolder();
  if (host === undefined || home === undefined) return [];
  const found = await Promise.all(
    host.roots(env, home).map(async (root) => {
      const files = await listFiles(root);
      const sessions = files
        .filter((path) => host.isSession(path))
        .map((path) => ({ format, path: join(root, path), name: path }));
      // Older versions of OpenCode have no database.
      const isStorage =
        format === 'opencode' && sessions.length === 0 && (await isFolder(join(root, 'storage', 'session')));
      return isStorage ? [{ format, path: join(root, 'storage'), name: 'storage' }] : sessions;
    }),
  );
  return found.flat();
}

/** The files of a path that was given: all that are of the format, or of a format that their content tells. */
export async function filesOf(path: string, format: FormatName | undefined): Promise<FoundFile[]> {
  if (path === '-') return [{ format: 'ndjson', path, name: path }];
  if (!(await isFolder(path))) return await detected(path, basename(path), format);
  if (basename(path) === 'storage' && (await isFolder(join(path, 'session'))))
    return [{ format: 'opencode', path, name: 'storage' }];
  const found: FoundFile[] = [];
  for (const name of await listFiles(path)) found.push(...(await detected(join(path, name), name, format)));
  return found;
}

async function detected(path: string, name: string, format: FormatName | undefined): Promise<FoundFile[]> {
  const told = format ?? (await detectFile(path).catch(() => undefined));
  return told === undefined ? [] : [{ format: told, path, name: name.replaceAll('\\', '/') }];
}

/** The sessions of a file. Throws for a file that cannot be read. */
export async function sessionsOf({ format, path, name }: FoundFile): Promise<Session[]> {
  if (path === '-') return [ndjsonSession({ path, bytes: 0, modified: Date.now() })];
  const file = await sessionFile(path);
  switch (format) {
    case 'claude-code':
      return [await claudeCodeSession(file)];
    case 'codex':
      return [await codexSession(file)];
    case 'gemini':
      return [await geminiSession(file)];
    case 'copilot':
      return [await copilotSession(file)];
    case 'opencode':
      return (await isFolder(path)) ? await opencodeStorage(path) : await opencodeSessions(file);
    case 'chatgpt':
    case 'claude-ai':
      return await chatSessions(file, format === 'chatgpt' ? chatgpt : claudeAi, await isZip(file));
    case 'mem0':
      return [mem0Session(file)];
    case 'letta':
      return [lettaSession(file)];
    case 'powercontext':
      return [powercontextSession(file)];
    case 'markdown':
      return [markdownSession(file, name)];
    case 'ndjson':
      return [ndjsonSession(file)];
  }
}

async function isZip({ path }: SessionFile): Promise<boolean> {
  const { isZipHead } = await import('./detect.ts');
  const { readHead } = await import('./readers/session-file.ts');
  return isZipHead(await readHead(path, 4));
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

/** Folders that hold no sessions and no documents of the user. */
const skipped = new Set(['.git', 'node_modules']);

/** Files below a folder, in order, relative to it. Links are not followed. */
async function listFiles(root: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isFile()) files.push(path);
    else if (entry.isDirectory() && !skipped.has(entry.name)) files.push(...(await listFiles(root, path)));
  }
  return files;
}
