import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArchive } from '../../../../../packages/skill-packages/src/index.ts';
import { buildPlugins } from '../../../../../scripts/release/plugins.ts';

const execute = promisify(execFile);

/** A user who has unpacked the archive. Codex refuses a home below the folder of temporary files. */
let home: string;
let plugins: string;

beforeAll(async () => {
  home = await mkdtemp(join(homedir(), '.continuity-plugins-'));
  plugins = join(home, 'plugins');
  await mkdir(join(home, '.codex'));
  const archive = await readFile(join(home, buildPlugins(home, '1.2.3')));
  for (const { path, bytes } of readArchive(archive)) {
    await mkdir(dirname(join(plugins, path)), { recursive: true });
    await writeFile(join(plugins, path), bytes);
  }
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs a host as this user, and resolves to what it prints. */
async function run(command: string, ...args: string[]): Promise<string> {
  const path = [process.env['AGENT_HOSTS_BIN'], dirname(process.execPath), '/usr/bin', '/bin'];
  const { stdout, stderr } = await execute(command, args, {
    cwd: plugins,
    env: { HOME: home, PATH: path.join(delimiter), DISABLE_TELEMETRY: '1' },
  });
  return stdout + stderr;
}

test('Claude Code validates the marketplace and the plugin of the released archive', async () => {
  for (const folder of ['.', './continuity'])
    expect(await run('claude', 'plugin', 'validate', folder)).toContain('Validation passed');
});

test('Codex installs the plugin of the released archive', async () => {
  await run('codex', 'plugin', 'marketplace', 'add', plugins);
  expect(await run('codex', 'plugin', 'add', 'continuity@continuity')).toContain('Added plugin `continuity`');
});
