import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let config: string;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'continuity-config-'));
  const root = join(config, 'skills');
  await writeSkill(root, 'hello');
  const EXTERNAL_SKILLS_FILE = await writeSkillHosts({ laptop: [{ tenant: 'acme', path: root }] });
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme'), EXTERNAL_SKILLS_FILE },
    workers: true,
  });
});

afterAll(async () => {
  await service.stop();
  await rm(config, { recursive: true });
});

const envOf = (scope = 'cli') => ({
  XDG_CONFIG_HOME: config,
  CONTINUITY_URL: service.url,
  CONTINUITY_TOKEN: tokenOf('acme'),
  CONTINUITY_SCOPE: scope,
});
const cli = (...args: string[]) => runCli(args, { env: envOf() });

test('remember, search, list and prepare', async () => {
  const remembered = await cli('remember', 'Deploy on Tuesdays.', '--kind', 'decision');
  expect(remembered).toMatchObject({ code: 0, stderr: '' });
  expect((await cli('search', 'when', 'do', 'we', 'deploy')).stdout).toContain('Deploy on Tuesdays.');
  expect((await cli('list')).stdout).toMatch(
    /STATE +KIND +TEXT +ENTRY\nactive +decision +Deploy on Tuesdays\./,
  );
  expect((await cli('prepare', 'deploy')).stdout).toContain('Deploy on Tuesdays.');
  expect(await runCli(['search', 'x'], { env: envOf('empty') })).toMatchObject({
    code: 0,
    stdout: '',
    stderr:
      'The Scope "empty" has no Memory: nothing is remembered in it, or the id of the Scope is wrong.\n',
  });
});

test('spec 25 Q11, Q18: prepare prints the compact format, and says in words why nothing came', async () => {
  await cli('remember', 'The lantern is in the attic.');
  const compact = await cli('prepare', 'where is the lantern', '--max-items', '1');
  expect(compact.stdout).toContain(
    'BEGIN_SERVICE_PREPARED_CONTEXT_V2\n{"trust":"untrusted_history","scope":"cli"',
  );
  const whole = await cli('prepare', 'where is the lantern', '--format', 'v1');
  expect(whole.stdout).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V1');
  expect(await cli('prepare', 'lantern', '--format', 'v3')).toMatchObject({ code: 2 });
  for (const command of ['prepare', 'search']) {
    const unmatched = await cli(command, 'xylophone');
    expect(unmatched).toMatchObject({ code: 0, stdout: '' });
    expect(unmatched.stderr).toContain('The Scope "cli" has Memory, but nothing in it matches');
  }
  for (const args of [['prepare', 'x'], ['list']])
    expect((await runCli(args, { env: envOf('nowhere') })).stderr).toContain(
      'The Scope "nowhere" has no Memory',
    );
});

test('a Scope whose Sources wait for extraction is said to wait, not to be empty', async () => {
  const stopped = await startService({ environment: { MEMORY_AUTO_FLUSH: 'off' } });
  try {
    const source = { scope_id: 'waiting', source_id: 'one', content: 'The kiosk uses SQLite.' };
    expect((await stopped.call('capture_content_source', { body: source })).status).toBe(202);
    const env = { XDG_CONFIG_HOME: config, CONTINUITY_URL: stopped.url, CONTINUITY_SCOPE: 'waiting' };
    for (const command of [['search', 'kiosk'], ['prepare', 'kiosk'], ['list']])
      expect((await runCli(command, { env })).stderr).toBe(
        'The Scope "waiting" has no answer yet: 1 Source of it waits for extraction. Try again in a moment.\n',
      );
  } finally {
    await stopped.stop();
  }
});

test('search --json prints the answer of the API', async () => {
  await cli('remember', 'Postgres 18 it is.');
  const http = clientOf(service.url, 'acme');
  const answer = await http.send('POST', '/v1/memory/search', { scope_id: 'cli', query: 'postgres' });
  expect(JSON.parse((await cli('search', 'postgres', '--json')).stdout)).toEqual(answer.json);
});

test('scopes create takes the title as the summary, unless one is given', async () => {
  const created = async (...args: string[]) =>
    JSON.parse((await cli('scopes', 'create', '--json', '--title', 'Billing', ...args)).stdout);
  expect(await created()).toMatchObject({ title: 'Billing', summary: 'Billing' });
  expect(await created('--summary', 'Reminders.')).toMatchObject({ summary: 'Reminders.' });
  expect((await cli('scopes', 'create', '--help')).stdout).toContain('default: the title');
});

test('flush reads all captured Sources', async () => {
  const http = clientOf(service.url, 'acme');
  const content = 'We decided to use Redis 8 for the queues.';
  await http.call('capture_content_source', { body: { scope_id: 'cli-flush', source_id: 'a', content } });
  const flushed = await runCli(['flush'], { env: envOf('cli-flush') });
  expect(flushed).toMatchObject({ code: 0, stdout: 'Read 1 Sources, up to position 1.\n' });
  expect((await runCli(['search', 'queues'], { env: envOf('cli-flush') })).stdout).toContain('Redis 8');
});

test('stored control characters never reach the terminal', async () => {
  const text = 'Red \u001b[31m alert \u001b[0m and \u009b2J and \u202ereversed.';
  expect(await runCli(['remember', text], { env: envOf('hostile') })).toMatchObject({ code: 0, stderr: '' });
  for (const args of [['list'], ['search', 'alert'], ['prepare', 'alert'], ['list', '--json']]) {
    const { stdout } = await runCli(args, { env: envOf('hostile') });
    expect(stdout).toContain('alert');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});

test('a Candidate is listed, shown, approved and rejected', async () => {
  const http = clientOf(service.url, 'acme');
  const scope_id = 'cli-review';
  await http.call('capture_content_source', { body: { scope_id, source_id: 'e', content: 'evidence' } });
  const propose = async (lesson: string) => {
    const proposal = { situation: 's', action: 'a', outcome: 'o', lesson };
    const source_refs = [{ name: 'content', source_id: 'e' }];
    const { body } = await http.call('propose_experience', {
      body: { scope_id, proposal, source_refs, artifact_refs: [] },
    });
    return body.candidate_id;
  };
  const review = (...args: string[]) => runCli(['candidates', ...args], { env: envOf(scope_id) });
  const [good, bad] = [await propose('Run the contract tests.'), await propose('Nothing new.')];
  expect((await review('list')).stdout).toMatch(/1 +experience +pending +Run the contract tests\./);
  expect((await review('show', good)).stdout).toContain('lesson:\nRun the contract tests.');
  expect((await review('approve', good, '--version', '1')).stdout).toMatch(/result: experience\/.+@1/);
  expect(await review('reject', bad, '--version', '1', '--reason', 'Known.')).toMatchObject({ code: 0 });
  const again = await review('approve', good, '--version', '1');
  expect(again).toMatchObject({ code: 5 });
  expect(again.stderr).toContain('candidate_terminal');
  expect(await review('show', 'unknown')).toMatchObject({ code: 4 });
});

test('an Experience is generated, approved and shown; a Skill is generated, approved, listed and exported', async () => {
  const http = clientOf(service.url, 'acme');
  const scope_id = 'cli-skills';
  const content =
    'Situation: The API changed.\nAction: The client was generated again.\nOutcome: The tests passed.\nLesson: Generate first.';
  await http.call('capture_content_source', { body: { scope_id, source_id: 'task/1', content } });
  const run = (...args: string[]) => runCli(args, { env: envOf(scope_id) });
  const generate = async (...args: string[]) => {
    const { stdout } = await run(...args, '--source', 'content/task/1', '--json');
    return (JSON.parse(stdout) as { candidate: { candidate_id: string } }).candidate.candidate_id;
  };
  const approve = async (id: string) => {
    const { stdout } = await run('candidates', 'approve', id, '--version', '1');
    return /result: (\S+)/.exec(stdout)?.[1] ?? '';
  };
  const experience = await approve(await generate('experience', 'generate'));
  expect((await run('experience', 'show', experience)).stdout).toContain('Generate first.');
  const skill = await approve(await generate('skill', 'generate', '--origin', 'source'));
  expect((await run('skill', 'list')).stdout).toContain(skill);
  const project = await mkdtemp(join(tmpdir(), 'continuity-project-'));
  const place = () => run('skill', 'export', skill, '--agent', 'claude_code', '--project', project);
  const placed = await place();
  expect(placed.stdout.trim()).toMatch(/\.claude\/skills\//);
  expect(await readFile(join(placed.stdout.trim(), 'SKILL.md'), 'utf8')).toContain(
    'The client was generated again.',
  );
  expect(await place()).toMatchObject({ code: 2 });
  expect(await run('skill', 'show', 'skill/x')).toMatchObject({ code: 2 });
  await rm(project, { recursive: true });
});

test('a report is printed as Markdown, or as JSON', async () => {
  expect((await cli('report')).stdout).toContain('# Handoff Report');
  expect(JSON.parse((await cli('report', '--json')).stdout)).toMatchObject({
    format: 'json',
    markdown: null,
  });
  expect(await cli('report', '--project', randomUUID(), '--root', 'cli')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'--project <id>' cannot be used with option '--root <scope>'"),
  });
});

test('exit codes tell the class of an error', async () => {
  expect(await cli('search')).toMatchObject({ code: 2 });
  expect(await cli('no-such-command')).toMatchObject({ code: 2 });
  expect(await cli('search', 'x', '--limit', '51')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('limit'),
  });
  const without = { ...envOf(), CONTINUITY_TOKEN: '' };
  expect(await runCli(['search', 'x'], { env: { ...without, CONTINUITY_TOKEN: 'wrong' } })).toMatchObject({
    code: 3,
  });
  expect(await runCli(['jobs', 'show', 'unknown'], { env: envOf() })).toMatchObject({ code: 4 });
  const { CONTINUITY_SCOPE: _scope, ...scopeless } = envOf();
  expect(await runCli(['search', 'x'], { env: scopeless })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CONTINUITY_SCOPE'),
  });
});

test('an error with --json is the envelope on standard error', async () => {
  const { code, stdout, stderr } = await cli('search', 'x', '--limit', '51', '--json');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'invalid_request', details: { issues: [{ path: 'limit' }] } },
  });
});

test('a profile keeps address, token and Scope for its owner alone', async () => {
  const env = { XDG_CONFIG_HOME: config };
  const set = ['profile', 'set', 'laptop', '--url', service.url, '--scope', 'cli', '--token-stdin'];
  expect(await runCli(set, { env, input: `${tokenOf('acme')}\n` })).toMatchObject({ code: 0, stderr: '' });
  const path = join(config, 'continuity', 'config.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ current: 'laptop' });
  const listed = await runCli(['profile', 'list'], { env });
  expect(listed.stdout).toContain('laptop');
  expect(listed.stdout).not.toContain(tokenOf('acme'));
  expect(await runCli(['scopes', 'list'], { env })).toMatchObject({ code: 0 });
  expect(await runCli(['--profile', 'other', 'scopes', 'list'], { env })).toMatchObject({ code: 2 });
  expect(await runCli(['profile', 'remove', 'laptop'], { env })).toMatchObject({ code: 0 });
});

test('doctor says what is wrong', async () => {
  const healthy = await cli('doctor');
  expect(healthy).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted') });
  expect(healthy.stdout).toMatch(/^ok +search +by words only/m);
  const refused = await runCli(['doctor'], { env: { ...envOf(), CONTINUITY_TOKEN: 'wrong' } });
  expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('CONTINUITY_TOKEN') });
  const absent = await runCli(['doctor', '--url', 'http://127.0.0.1:9'], { env: envOf() });
  expect(absent).toMatchObject({ code: 6, stdout: expect.stringContaining('npm start') });
});

test('doctor warns of a Scope that is read and never written', async () => {
  await cli('remember', 'Something.');
  expect((await cli('doctor')).stdout).not.toContain('warn');
  const absent = await runCli(['doctor'], { env: envOf('no-such-scope') });
  expect(absent).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warn +scopes +"no-such-scope"/m) });
  const created = await cli('scopes', 'create', '--title', 'Read only', '--json');
  const { scope_id } = JSON.parse(created.stdout) as { scope_id: string };
  await runCli(['prepare', 'anything'], { env: envOf(scope_id) });
  const warned = await cli('doctor', '--json');
  expect(warned.code).toBe(0);
  expect(JSON.parse(warned.stdout).checks).toContainEqual({
    name: 'scopes',
    ok: true,
    warning: true,
    message: expect.stringContaining(`"${scope_id}" (1 contexts in 7 days)`),
  });
});

test('external-skills scans, lists, resolves and imports', async () => {
  const scanned = await cli('external-skills', 'scan');
  expect(scanned).toMatchObject({ code: 0, stderr: '1 registered, 0 skipped.\n' });
  expect(scanned.stdout).toMatch(
    /NAME +HOST +ID +FINGERPRINT\nhello +laptop +codex:project:repository\/hello +[0-9a-f]{64}/,
  );
  const [id = '', fingerprint = ''] = scanned.stdout.split('\n')[1]?.split(/ +/).slice(2) ?? [];
  expect((await cli('external-skills', 'list')).stdout).toContain('available');
  const version = [id, '--fingerprint', fingerprint];
  expect((await cli('external-skills', 'resolve', ...version, '--host', 'laptop')).stdout).toContain(
    'SKILL.md',
  );
  const forked = await cli('external-skills', 'import', ...version, '--mode', 'fork', '--json');
  expect(JSON.parse(forked.stdout)).toMatchObject({ candidate: { proposal: { name: 'hello-fork' } } });
  expect(await cli('external-skills', 'scan', '--host', 'elsewhere')).toMatchObject({ code: 2 });
});

test('any operation can be called', async () => {
  const request = JSON.stringify({ scope_id: 'cli', query: 'deploy' });
  const env = envOf();
  const { stdout } = await runCli(['call', 'search_memory', '--file', '-'], { env, input: request });
  expect(JSON.parse(stdout)).toMatchObject({ mode: 'fts' });
  expect(await cli('call', 'nothing')).toMatchObject({ code: 2 });
});

test('token new prints a token and its hash, and token hash agrees', async () => {
  const made = JSON.parse((await cli('token', 'new', '--json')).stdout) as {
    token: string;
    token_sha256: string;
  };
  const hashed = await runCli(['token', 'hash', '--json'], { input: made.token });
  expect(JSON.parse(hashed.stdout)).toEqual({ token_sha256: made.token_sha256 });
  expect(await runCli(['token', 'hash'], { input: 'short' })).toMatchObject({ code: 2 });
});

test.each(['bash', 'zsh', 'fish'])('completion for %s', async (shell) => {
  expect(await cli('completion', shell)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('continuity'),
  });
});

test('mcp serves a host that starts a process', async () => {
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'search_memory', arguments: { scope_id: 'cli', query: 'deploy' } },
    },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const { code, stdout } = await runCli(['mcp'], { env: envOf(), input });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: unknown });
  expect(code).toBe(0);
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  const refused = await runCli(['mcp'], { env: { ...envOf(), CONTINUITY_TOKEN: 'wrong' }, input });
  expect(refused.stdout).toContain('"error"');
});
