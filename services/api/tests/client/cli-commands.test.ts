import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliProgram, runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuity-commands-'));
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') },
    workers: true,
  });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const envOf = (scope: string) => ({
  XDG_CONFIG_HOME: folder,
  CONTINUITY_URL: service.url,
  CONTINUITY_TOKEN: tokenOf('acme'),
  CONTINUITY_SCOPE: scope,
});

const inScope =
  (scope: string) =>
  (args: string[], input: string | Buffer = '') =>
    runCli(args, { env: envOf(scope), input });

const jsonOf = async (result: Promise<{ stdout: string }>) => JSON.parse((await result).stdout);

test('an entry is shown, revised and retired by the id that lists print', async () => {
  const run = inScope('entries');
  const [, id = ''] =
    /Remembered (\S+),/.exec((await run(['remember', 'Deploy on Tuesdays.', '--kind', 'decision'])).stdout) ??
    [];
  const listed = await run(['list']);
  expect(listed.stdout).toContain(id);
  expect((await run(['get', id])).stdout).toContain(
    `decision, active, version 1: ${id}\n\nDeploy on Tuesdays.`,
  );
  expect(await run(['revise', id, '-'], 'Deploy on Mondays.')).toMatchObject({
    code: 0,
    stdout: `Revised ${id}, version 2.\n`,
  });
  expect(await jsonOf(run(['get', id, '--json']))).toMatchObject({
    kind: 'decision',
    text: 'Deploy on Mondays.',
  });
  expect(await run(['retire', id, '--reason', 'No more.'])).toMatchObject({
    code: 0,
    stdout: `Retired ${id}.\n`,
  });
  expect((await run(['get', id])).stdout).toContain('inactive');
  expect((await run(['search', 'deploy'])).stdout).toBe('');
  for (const command of [['get'], ['retire']]) expect((await run([...command, 'unknown'])).code).toBe(4);
  expect((await run(['retire', id])).code).toBe(0);
});

test('spec 26 R7: an entry is superseded by its id, ended, and found as of a time', async () => {
  const run = inScope('validity');
  const remembered = async (...args: string[]) =>
    /Remembered (\S+),/.exec((await run(['remember', ...args])).stdout)?.[1] ?? '';
  const acme = await remembered('Anna works at Acme.', '--valid-from', '2024-05-01T00:00:00Z');
  const globex = await remembered('Anna works at Globex.', '--supersedes', acme);
  expect((await run(['search', 'Anna works'])).stdout).not.toContain('Acme');
  expect((await run(['search', 'Anna works', '--as-of', '2025-01-01T00:00:00Z'])).stdout).toContain('Acme');
  expect((await run(['list', '--as-of', '2025-01-01T00:00:00Z'])).stdout).not.toContain('Globex');
  expect((await run(['prepare', 'Anna works', '--as-of', '2025-01-01T00:00:00Z'])).stdout).toContain('Acme');
  expect((await run(['get', acme])).stdout).toMatch(
    new RegExp(`true since 2024-05-01T00:00:00.000Z\ntrue until .*\nsuperseded by ${globex}`),
  );
  const ended = await run(['revise', acme, '--valid-until', 'none']);
  expect(ended).toMatchObject({ code: 0, stdout: `Revised ${acme}, version 3.\n` });
  expect((await run(['get', acme])).stdout).not.toContain('until');
  expect((await run(['remember', 'x', '--valid-from', '2024-05-01'])).code).toBe(2);
});

test('an item of a prepared context is shown by its id, and an unknown id is no entry', async () => {
  const run = inScope('items');
  const acme = clientOf(service.url, 'acme');
  await run(['remember', 'Harbour cranes are painted yellow.', '--kind', 'decision']);
  const lesson = 'Paint cranes before the harbour opens.';
  const content = { situation: 'A crane rusted.', action: 'We painted it.', outcome: 'It lasts.', lesson };
  await acme.call('create_artifact', {
    params: { scope_id: 'items' },
    body: { family: 'experience', content },
  });
  const { stdout } = await run(['prepare', 'painted', 'harbour', 'cranes']);
  const line = stdout.split('\n').find((one) => one.startsWith('{')) ?? '';
  const { items } = JSON.parse(line) as { items: { id: string; kind?: string }[] };
  const entry = items.find(({ kind }) => kind === undefined)?.id ?? '';
  const experience = items.find(({ kind }) => kind === 'experience')?.id ?? '';
  expect((await run(['get', entry])).stdout).toContain('Harbour cranes are painted yellow.');
  expect(await jsonOf(run(['get', experience]))).toMatchObject({ content: { lesson } });

  await run(['revise', ...(await entryIds('items')), 'Harbour cranes are painted red.']);
  expect((await run(['get', entry])).stdout).toContain('yellow');

  await inScope('other')(['remember', 'Something else.']);
  const globex = { ...envOf('items'), CONTINUITY_TOKEN: tokenOf('globex') };
  await runCli(['remember', 'Of another tenant.'], { env: globex });
  const flipped = entry.replace(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
  for (const [id, env] of [
    [entry, envOf('other')],
    [entry, globex],
    [experience, envOf('other')],
    [entry.slice(0, -1), envOf('items')],
    [flipped, envOf('items')],
  ] as const)
    expect(await runCli(['get', id], { env })).toMatchObject({ code: 4, stdout: '' });
  expect(await run(['get', 'x'.repeat(4_096)])).toMatchObject({ code: 2, stdout: '' });
});

const entryIds = async (scope_id: string) =>
  (await clientOf(service.url, 'acme').call('list_memory_entries', { body: { scope_id } })).body.entries.map(
    ({ citation }) => citation.entry_id,
  );

test('an entry is revised while other entries of its Scope are written', async () => {
  const run = inScope('races');
  const { body } = await clientOf(service.url, 'acme').call('remember_memory', {
    body: { scope_id: 'races', kind: 'fact', text: 'first' },
  });
  const id = body.entry?.citation.entry_id ?? '';
  let isDone = false;
  const others = async () => {
    for (let count = 0; !isDone; count += 1) {
      await clientOf(service.url, 'acme').call('remember_memory', {
        body: { scope_id: 'races', kind: 'fact', text: `other ${count}` },
      });
      await delay(20);
    }
  };
  const writing = others();
  const revised = await run(['revise', id, 'second']);
  isDone = true;
  await writing;
  expect(revised).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['get', id])).stdout).toContain('second');
});

test('a text is captured once, by its own id or by its content, and its Source is shown', async () => {
  const run = inScope('capture');
  const file = join(folder, 'notes.md');
  await writeFile(file, '\ufeffWe decided to use Redis 8.');
  const captured = await run(['capture', '--file', file, '--id', 'notes']);
  expect(captured.stdout).toBe('Captured content/notes, position 1.\n');
  expect(await jsonOf(run(['get', 'content/notes']))).toMatchObject({
    content: 'We decided to use Redis 8.',
  });
  const [first, second] = [await run(['capture', 'same']), await run(['capture', '-'], 'same')];
  expect(first.stdout).toMatch(/^Captured content\/[0-9a-f]{32}, position 2\.\n$/);
  expect(second.stdout).toBe(first.stdout);
  expect(await run(['capture'])).toMatchObject({ code: 2 });
  const { stdout } = await run(['stats']);
  expect(stdout).toMatch(/Sources +2\n/);
});

test('input that is not UTF-8 is refused with the offset, and nothing is stored', async () => {
  const run = inScope('encodings');
  const gbk = Buffer.from('cafdbeddbfe2', 'hex');
  const path = join(folder, 'gbk.json');
  await writeFile(path, Buffer.concat([Buffer.from('{"kind":"fact","text":"'), gbk, Buffer.from('"}')]));
  const message = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
    gbk,
    Buffer.from('"}\n'),
  ]);
  expect(await run(['remember', '-'], gbk)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Standard input is not UTF-8 text: byte 0xCA at offset 0.'),
  });
  expect(await run(['call', 'remember_memory', '--file', path])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${path} is not UTF-8 text: byte 0xCA at offset 23.`),
  });
  expect(JSON.parse((await run(['mcp'], message)).stdout)).toMatchObject({
    id: null,
    error: { code: -32_700, message: expect.stringContaining('offset 34') },
  });
  // A shell passes the bytes of an argument on.
  const script = `"$0" "$1" remember $'Z\\xfcrich' || echo "code $?" >&2`;
  const { stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath, cliProgram], {
    env: { ...process.env, ...envOf('encodings') },
  });
  expect(stderr).toMatch(/Argument 2 is not UTF-8 text, at offset 1\..*\ncode 2\n/s);
  expect(await jsonOf(run(['list', '--json']))).toEqual({ entries: [] });

  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Zürich', 'utf16le')]);
  expect((await run(['remember', '-'], utf16)).code).toBe(0);
  await writeFile(path, '\ufeff{"kind":"fact","text":"marked"}');
  expect((await run(['call', 'remember_memory', '--file', path])).code).toBe(0);
  const { entries } = await jsonOf(run(['list', '--json']));
  expect(entries.map(({ text }: { text: string }) => text).toSorted()).toEqual(['Zürich', 'marked']);
});

test('call lists the operations and their fields, and tells every issue', async () => {
  const run = inScope('calls');
  expect((await run(['call'])).stdout).toMatch(/search_memory +Search the active entries of a Scope/);
  const fields = await jsonOf(run(['call', 'search_memory', '--fields', '--json']));
  expect(fields).toMatchObject({
    request: 'POST /v1/memory/search',
    fields: expect.arrayContaining([
      { name: 'limit', is_required: false, type: 'whole number, 1 to 50', description: 'Default: 10.' },
    ]),
  });
  expect((await run(['call', 'search_memory', '--file', '-'], JSON.stringify(fields.example))).code).toBe(0);
  const refused = await run(['call', 'search_memory', '--file', '-'], '{"query":"","limit":99,"nope":1}');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('continuity call search_memory --fields');
  for (const issue of ['query: must have', 'limit: must be', 'nope: is not a field of this request'])
    expect(refused.stderr.split(issue)).toHaveLength(2);
  expect(await run(['call', 'list_scopes', '--file', '-'], '{"nope":1}')).toMatchObject({
    code: 2,
    stderr: 'error: list_scopes has no field "nope". Its fields: limit, cursor, search, parent.\n',
  });
});

test('call and mcp take the Scope of the profile, and of --scope before it', async () => {
  const set = ['profile', 'set', 'home', '--url', service.url, '--scope', 'profiled', '--token-stdin'];
  const env = { XDG_CONFIG_HOME: join(folder, 'profiled') };
  await runCli(set, { env, input: tokenOf('acme') });
  const request = JSON.stringify({ kind: 'fact', text: 'Deploy on Fridays.' });
  expect(await runCli(['call', 'remember_memory', '--file', '-'], { env, input: request })).toMatchObject({
    code: 0,
  });
  const stats = await jsonOf(runCli(['call', 'get_stats'], { env }));
  expect(stats).toMatchObject({ scope_ids: ['profiled'], inventory: { memory: { entries: { total: 1 } } } });

  const search = { name: 'search_memory', arguments: { query: 'deploy' } };
  const prompt = { name: 'prepared_context', arguments: { query: 'deploy' } };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const messages = [
    { id: 1, method: 'initialize', params: hello },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: search },
    {
      id: 4,
      method: 'tools/call',
      params: { ...search, arguments: { ...search.arguments, scope_id: 'empty' } },
    },
    { id: 5, method: 'prompts/get', params: prompt },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const serve = async (args: string[]) => {
    const { stdout } = await runCli(['mcp', ...args], { env, input });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: unknown });
    return lines.toSorted((one, other) => one.id - other.id).map(({ result }) => JSON.stringify(result));
  };
  const [initialized, tools, found, elsewhere, prepared] = await serve([]);
  expect(initialized).toContain('Your Scope is `profiled`');
  expect(tools).toContain('Default `profiled`');
  expect(found).toContain('Deploy on Fridays.');
  expect(elsewhere).not.toContain('Deploy on Fridays.');
  expect(prepared).toContain('Deploy on Fridays.');
  expect((await serve(['--scope', 'empty']))[2]).not.toContain('Deploy on Fridays.');
  // Without a chosen Scope it is that of the Git repository, as for hooks and imports.
  const unscoped = await runCli(['mcp'], {
    env: { CONTINUITY_URL: service.url, CONTINUITY_TOKEN: tokenOf('acme') },
    input,
  });
  expect(unscoped.stdout).toMatch(/Your Scope is `project:[^`]+`/);
});

test('ids of lists are arguments of other commands', async () => {
  const run = inScope('ids');
  const http = clientOf(service.url, 'acme');
  const content = {
    name: 'release-check',
    description: 'Verify it.',
    instructions: 'Run it.',
    validation: [],
  };
  const { body } = await http.call('create_artifact', {
    params: { scope_id: 'ids' },
    body: { family: 'skill', content },
  });
  const skill = `skill/${body.artifact_id}@1`;
  expect((await run(['skill', 'list'])).stdout).toContain(skill);
  expect(await jsonOf(run(['get', skill]))).toMatchObject({ artifact_id: body.artifact_id });
  const created = await run(['targets', 'create', 'codex', 'laptop']);
  const [, target = ''] = /^The code of (\S+) /.exec(created.stderr) ?? [];
  const receiver = ['--agent', 'codex', '--project', folder];
  expect((await run(['receiver', 'enroll', ...receiver], created.stdout)).code).toBe(0);
  expect((await run(['targets', 'publish', target, skill])).code).toBe(0);
  expect((await run(['targets', 'publications', target])).stdout).toContain(skill);
  expect((await run(['targets', 'unpublish', target, skill, '--generation', '0'])).code).toBe(0);
  expect((await run(['skill', 'lifecycle', skill, 'deprecated', '--generation', '0'])).code).toBe(0);
});

test.runIf(process.geteuid?.() === 0)(
  'a user without a home folder can use every command but profiles',
  async () => {
    const program = ['--reuid', '1001180000', '--regid', '0', '--clear-groups', process.execPath, cliProgram];
    const run = (...args: string[]) =>
      promisify(execFile)('setpriv', [...program, ...args], {
        env: {
          PATH: process.env['PATH'] ?? '',
          CONTINUITY_URL: service.url,
          CONTINUITY_TOKEN: tokenOf('acme'),
        },
      });
    expect((await run('scopes', 'list')).stderr).toBe('');
    await expect(run('profile', 'set', 'home')).rejects.toMatchObject({
      stderr: expect.stringContaining('Set HOME or XDG_CONFIG_HOME.'),
    });
  },
);
