import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';
import { playedHosts, runHook } from './hooks/play-host.ts';

let service: TestService;
/** A new user with the programs of four hosts, which write down how they are called. */
let home: string;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
});

afterAll(() => service.stop());

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-setup-'));
  await mkdir(join(home, 'bin'));
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'copilot']) {
    const path = join(home, 'bin', name);
    await writeFile(
      path,
      `#!/bin/sh\n[ "$1" = --version ] && { echo "${name} 9.9.9"; exit 0; }\necho "${name} $*" >> ${home}/calls\n`,
    );
    await chmod(path, 0o755);
  }
  return () => rm(home, { recursive: true });
});

const environment = () => ({
  HOME: home,
  PATH: [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  CONTINUITY_URL: service.url,
  CONTINUITY_TOKEN: tokenOf('acme'),
});
const run = (...args: string[]) => runCli(args, { env: environment() });
const calls = async () =>
  (await readFile(join(home, 'calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line);

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)),
  );
}

test.each([
  ['claude-code', 'claude plugin install continuity@continuity', 'Start a new session'],
  ['codex', 'codex plugin add continuity@continuity', '/hooks'],
  ['gemini', 'gemini extensions link', 'Start a new session'],
  ['opencode', undefined, 'Start a new session'],
  ['copilot', 'copilot plugin install', 'Start a new session'],
])('spec 70 scenario 21: setup of %s twice, then --remove', async (host, command, next) => {
  const settings = join(home, '.config', 'opencode', 'opencode.jsonc');
  await mkdir(dirname(settings), { recursive: true });
  await writeFile(settings, '{ // mine\n  "theme": "dark",\n}\n');

  const first = await run('setup', host);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(next) });
  const called = await calls();
  if (command !== undefined) expect(called.at(-1)).toMatch(new RegExp(`^${command}`));
  const written = await filesBelow(home);
  const program = Object.keys(written).find((path) => path.endsWith('continuity-hook.mjs'));
  expect(program).toContain(join(home, '.local', 'share', 'continuity', 'plugins'));
  for (const content of Object.values(written)) expect(content).not.toContain(tokenOf('acme'));

  const second = await run('setup', host);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('connected already') });
  expect(await calls()).toEqual(called);
  expect(await filesBelow(home)).toEqual(written);

  const doctor = await run('doctor', '--json');
  const check = JSON.parse(doctor.stdout).checks.find(({ name }: { name: string }) => name === host);
  expect(check).toMatchObject({
    ok: true,
    message: expect.stringMatching(/version 9\.9\.9.*connected; last event 20/),
  });

  const removed = await run('setup', host, '--remove');
  expect(removed).toMatchObject({ code: 0, stderr: '' });
  const left = Object.keys(await filesBelow(home)).filter((path) => /plugins|opencode/.test(path));
  expect(left.filter((path) => !/installed\.json$|bin\/opencode$/.test(path))).toEqual([settings]);
  expect(await readFile(settings, 'utf8')).toBe('{ // mine\n  "theme": "dark",\n}\n');
});

test('spec 70 scenario 21: a file that was changed by hand stays, and is named', async () => {
  await run('setup', 'opencode');
  const adapter = join(home, '.config', 'opencode', 'plugins', 'continuity.js');
  const mine = `${await readFile(adapter, 'utf8')}// mine\n`;
  await writeFile(adapter, mine);
  const again = await run('setup', 'opencode');
  expect(again.stdout).toContain(`changed by hand, left as it is: ${adapter}`);
  expect((await run('doctor')).stdout).toContain(`changed or missing: ${adapter}`);
  const removed = await run('setup', 'opencode', '--remove');
  expect(removed.stdout).toContain(`changed by hand, left as it is: ${adapter}`);
  expect(await readFile(adapter, 'utf8')).toBe(mine);
  // A file of somebody else is not replaced.
  const other = await run('setup', 'opencode');
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('Move it away') });
  expect(await readFile(adapter, 'utf8')).toBe(mine);
});

test('two hosts share the hook program until the last one is removed', async () => {
  await run('setup', 'gemini');
  await run('setup', 'copilot');
  const hooks = async () =>
    Object.keys(await filesBelow(home)).filter((path) => path.endsWith('continuity-hook.mjs'));
  const [program = ''] = await hooks();
  const copilot = Object.entries(await filesBelow(home)).find(([path]) =>
    path.endsWith('copilot/hooks.json'),
  );
  expect(JSON.parse(copilot?.[1] ?? '').hooks.agentStop[0].bash).toBe(
    `node "${program}" --host copilot --event agentStop`,
  );
  await run('setup', 'gemini', '--remove');
  expect(await hooks()).toHaveLength(1);
  await run('setup', 'copilot', '--remove');
  expect(await hooks()).toEqual([]);
});

test('setup says what it would do, and what is missing', async () => {
  const printed = await run('setup', 'claude-code', '--print');
  expect(printed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('claude plugin marketplace add '),
  });
  expect(await calls()).toEqual([]);
  const refused = await runCli(['setup', 'claude-code'], {
    env: { ...environment(), CONTINUITY_TOKEN: 'wrong' },
  });
  expect(refused.code).toBe(3);
  await rm(join(home, 'bin', 'codex'));
  const missing = await run('setup', 'codex');
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('npm install -g @openai/codex') });
  await writeFile(join(home, 'bin', 'claude'), '#!/bin/sh\necho "no such marketplace" >&2\nexit 1\n');
  const failed = await run('setup', 'claude-code');
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('no such marketplace') });
  expect(await filesBelow(join(home, '.claude'))).toEqual({});
});

test('spec 70 scenario 18: doctor counts the texts that wait, and import queue sends them', async () => {
  const host = playedHosts['claude-code'];
  const turn = { id: 'turn-1', prompt: 'We decided to move to Lisbon.', answer: '' };
  const env = { HOME: home, CONTINUITY_URL: 'http://127.0.0.1:9', CONTINUITY_TOKEN: 'of-another-service' };
  const session = { id: 'one', cwd: join(home, 'project-lisbon') };
  if (host === undefined) throw new Error('Claude Code is not played.');
  await runHook(host.prompt(session, turn), env);
  const queue = join(home, '.local', 'state', 'continuity', 'queue');
  await writeFile(join(queue, 'not-kept'), '...');
  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(/warn +queue +1 text \(1 KiB\) in the queue/);
  expect(doctor.stdout).toContain('3 texts not kept');
  expect(doctor.stdout).toMatch(/warn +claude-code .*last failure: /);
  expect(doctor.stdout).toMatch(/warn +default scope .*is empty/);

  const sent = await run('import', 'queue');
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('Texts sent: 1, waiting: 0') });
  const read = await clientOf(service.url, 'acme').call('get_source', {
    params: {
      scope_id: 'project:project-lisbon',
      source_type: 'content',
      source_id: 'claude-code/one/turn-1/prompt',
    },
  });
  expect(read.body.content).toBe(turn.prompt);
});
