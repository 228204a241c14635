import { copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { zip } from '@continuity/testing/zip';

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));

/** Path of a fixture. */
export const fixture = (name: string): string => join(fixtures, name);

/** Where each host keeps a session below the home folder, and the fixture that has it. */
const sessions: Record<string, string> = {
  '.claude/projects/-home-ada-shop/5b0f2a5e-3f0b-4c36-9a25-6d1f6c0b7a11.jsonl': 'claude-code-2.1.197.jsonl',
  '.codex/sessions/2026/10/06/rollout-2026-10-06T10-00-00-019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77.jsonl':
    'codex-0.171.jsonl',
  '.gemini/tmp/api/chats/session-2026-10-07T12-00-77aa1c7e.jsonl': 'gemini-0.61.0.jsonl',
  '.gemini/tmp/legacy/chats/session-2026-03-01T09-00-77aa1c7f.json': 'gemini-0.20.0.json',
  '.copilot/session-state/c0b1107e-0000-4000-8000-000000000001/events.jsonl': 'copilot-1.0.63.jsonl',
};

/** The hosts whose sessions a home folder has. */
export const hosts = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'];

/** A time long before a test: the last turn of a file is then complete. */
const longAgo = new Date('2026-10-09T00:00:00Z');

/** Makes a home folder with a session of each of the five hosts, two of Gemini CLI. */
export async function makeHome(home: string): Promise<void> {
  for (const [path, name] of Object.entries(sessions)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await copyFile(fixture(name), join(home, path));
    await utimes(join(home, path), longAgo, longAgo);
  }
  await writeFile(join(home, '.gemini/tmp/legacy/.project_root'), '/home/ada/ledger\n');
  await makeOpencode(join(home, '.local/share/opencode/opencode.db'));
}

/** Makes the database of OpenCode from its fixture. */
export async function makeOpencode(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  const database = new DatabaseSync(path);
  database.exec(await readFile(fixture('opencode-1.18.33.sql'), 'utf8'));
  database.close();
}

/** Writes a ZIP of files by name. */
export async function writeZip(path: string, files: Record<string, string | Buffer>): Promise<void> {
  await writeFile(path, zip(Object.entries(files).map(([name, content]) => ({ name, content, method: 8 }))));
}
