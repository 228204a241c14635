import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let home: string;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
});

afterAll(() => service.stop());

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-desktop-'));
  const profile = ['profile', 'set', 'work', '--url', service.url, '--token-stdin'];
  await runCli(profile, { env: { HOME: home }, input: tokenOf('acme') });
  await run('profile', 'use', 'work');
  return () => rm(home, { recursive: true });
});

const run = (...args: string[]) => runCli(args, { env: { HOME: home } });

const clients = [
  { name: 'claude-desktop', file: '.config/Claude/claude_desktop_config.json', key: 'mcpServers' },
  { name: 'cursor', file: '.cursor/mcp.json', key: 'mcpServers' },
  { name: 'vscode', file: '.config/Code/User/mcp.json', key: 'servers' },
  { name: 'windsurf', file: '.codeium/windsurf/mcp_config.json', key: 'mcpServers' },
  { name: 'zed', file: '.config/zed/settings.json', key: 'context_servers' },
];

async function write(file: string, content: string): Promise<string> {
  const path = join(home, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

for (const { name, file, key } of clients) {
  test(`spec 70 scenario 21: setup of ${name} twice, then --remove, leaves every other byte`, async () => {
    const mine = `{\r\n\t// mine\r\n\t"${key}": {\r\n\t\t"other": { "command": "x" }, /* kept */\r\n\t},\r\n\t"theme": "dark",\r\n}\r\n`;
    const path = await write(file, mine);
    await chmod(path, 0o640);
    expect(await run('setup', name)).toMatchObject({ code: 0, stdout: `changed ${path}\n` });
    const changed = await readFile(path, 'utf8');
    expect(changed).toContain('"continuity"');
    for (const line of ['// mine\r\n', '"other": { "command": "x" }', '/* kept */', '"theme": "dark",\r\n'])
      expect(changed).toContain(line);
    expect(changed).not.toContain(tokenOf('acme'));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await run('setup', name)).stdout).toContain('connected already');
    expect(await readFile(path, 'utf8')).toBe(changed);
    const doctor = JSON.parse((await run('doctor', '--json')).stdout) as { checks: { name: string }[] };
    expect(doctor.checks).toContainEqual(expect.objectContaining({ name, message: 'connected.' }));
    expect(await run('setup', name, '--remove')).toMatchObject({ code: 0, stdout: `changed ${path}\n` });
    expect(await readFile(path, 'utf8')).toBe(mine);
    expect((await run('setup', name, '--remove')).stdout).toContain('It was not connected.');
  });
}

test('a missing file is made for this user alone, and removed again', async () => {
  const path = join(home, '.cursor', 'mcp.json');
  await run('setup', 'cursor');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await run('setup', 'cursor', '--remove');
  expect(existsSync(path)).toBe(false);
});

test('what the user adds later stays, and so does an entry that the user changed', async () => {
  const path = await write('.cursor/mcp.json', '{}\n');
  await run('setup', 'cursor');
  const added = JSON.parse(await readFile(path, 'utf8'));
  added.mcpServers.mine = { command: 'mine' };
  await writeFile(path, JSON.stringify(added));
  await run('setup', 'cursor', '--remove');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ mcpServers: { mine: { command: 'mine' } } });
  await run('setup', 'cursor');
  const changed = (await readFile(path, 'utf8')).replace('"mcp"', '"mcp", "--tools", "memory"');
  await writeFile(path, changed);
  expect((await run('setup', 'cursor', '--remove')).stdout).toContain(
    `changed by hand, left as it is: ${path}`,
  );
  expect(await readFile(path, 'utf8')).toBe(changed);
  expect((await run('doctor')).stdout).toContain('was changed or removed');
});

test.each([
  ['no JSON', '{ "mcpServers": { "a": ', 'cannot be read'],
  ['a list of servers', '{ "mcpServers": [] }', 'cannot be read'],
  [
    'an entry of somebody else',
    '{ "mcpServers": { "continuity": { "command": "x" } } }',
    'not of this command',
  ],
])('a file with %s stays as it is', async (_case, content, words) => {
  const path = await write('.cursor/mcp.json', content);
  expect(await run('setup', 'cursor')).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  expect(await readFile(path, 'utf8')).toBe(content);
});

test('a link to settings elsewhere stays a link', async () => {
  const real = await write('dotfiles/mcp.json', '{\n  "mcpServers": {}\n}\n');
  const link = join(home, '.cursor', 'mcp.json');
  await mkdir(dirname(link));
  await symlink(real, link);
  await run('setup', 'cursor');
  expect(await readFile(real, 'utf8')).toContain('"continuity"');
  await run('setup', 'cursor', '--remove');
  expect(await readFile(link, 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
});

test('the program that starts the entry gets the tools, with the Scope of the option', async () => {
  const printed = await run('setup', 'cursor', '--print', '--scope', 'project:shop');
  const { command, args } = JSON.parse(printed.stdout).mcpServers.continuity;
  const client = new Client({ name: 'desktop', version: '1' });
  // A desktop program starts it from the root, with no variables but those of the session.
  await client.connect(new StdioClientTransport({ command, args, cwd: '/', env: { HOME: home } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search_memory');
  expect(client.getInstructions()).toContain('project:shop');
  const stored = { kind: 'decision', text: 'Deploy on Tuesdays.' };
  expect(await client.callTool({ name: 'remember_memory', arguments: stored })).not.toHaveProperty(
    'isError',
    true,
  );
  await client.close();
  const found = await run('search', '--scope', 'project:shop', 'deploy');
  expect(found.stdout).toContain('Deploy on Tuesdays.');
});

test('a token of the shell alone, and a service that does not answer, are told before anything changes', async () => {
  const env = { HOME: home, CONTINUITY_TOKEN: 'other' };
  const refused = await runCli(['setup', 'cursor'], { env });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('profile') });
  const gone = await run('setup', 'cursor', '--url', 'http://127.0.0.1:9');
  expect(gone.code).not.toBe(0);
  expect(existsSync(join(home, '.cursor', 'mcp.json'))).toBe(false);
});
