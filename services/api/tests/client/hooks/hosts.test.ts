import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, waitUntil } from '@continuity/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../../support/tenants.ts';
import { hookProgram, type PlayedHost, playedHosts, runHook } from './play-host.ts';

let service: TestService;
let home: string;
/** A folder of a session, and the Scope that follows from its name. */
let cwd: string;
let scope_id: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-hosts-'));
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') },
    workers: true,
  });
});

afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true });
});

beforeEach(async () => {
  cwd = await mkdtemp(join(home, 'project-'));
  scope_id = `project:${cwd.slice(home.length + 1)}`;
});

afterEach(() => vi.unstubAllEnvs());

/** India has the offset +05:30 the whole year. */
const environment = (more: Record<string, string> = {}) => ({
  HOME: home,
  XDG_STATE_HOME: join(cwd, 'state'),
  TZ: 'Asia/Kolkata',
  CONTINUITY_URL: service.url,
  CONTINUITY_TOKEN: tokenOf('acme'),
  ...more,
});

const newTurn = (prompt: string, answer: string) => ({ id: randomUUID(), prompt, answer });
const newSession = () => ({ id: randomUUID(), cwd });
const hostNames = Object.keys(playedHosts);
const hostOf = (name: string) => playedHosts[name] as PlayedHost;

async function contentSources(tenant = 'acme', scope = scope_id) {
  const acme = clientOf(service.url, tenant);
  const { body } = await acme.call('list_sources', { params: { scope_id: scope }, query: { limit: '100' } });
  const turns = body.items.filter(({ record }) => record === null);
  const read = turns.map(async ({ source_id }) => {
    return (await acme.call('get_source', { params: { scope_id: scope, source_type: 'content', source_id } }))
      .body;
  });
  return (await Promise.all(read)).sort((a, b) => a.position - b.position);
}

async function latestHandoff() {
  const request = { scope_id, selection: 'latest' } as const;
  return (await clientOf(service.url, 'acme').call('continue_handoff', { body: request })).body;
}

const handoffWritten = () =>
  waitUntil(async () => {
    const latest = await latestHandoff();
    return latest.status === 'resolved' && latest;
  });

test.each(hostNames)('spec 70 scenario 15: %s gets a fact of an earlier session', async (name) => {
  const host = hostOf(name);
  const first = newSession();
  const turn = newTurn('Which day is the release?', 'We decided to release on Thursdays.');
  for (const event of [host.start(first), host.prompt(first, turn), await host.answer(first, turn)])
    expect(await runHook(event, environment())).toMatchObject({ code: 0, stderr: '' });
  expect(await runHook(host.end(first), environment())).toEqual({ code: 0, stdout: '', stderr: '' });
  await handoffWritten();

  const said = await contentSources();
  expect(said.map(({ content }) => content)).toEqual([turn.prompt, turn.answer]);
  expect(said.map(({ source_id }) => source_id)).toEqual([
    `${name}/${first.id}/${turn.id}/prompt`,
    `${name}/${first.id}/${turn.id}/answer`,
  ]);
  for (const { occurred_at } of said) expect(occurred_at).toMatch(/\+05:30$/);

  const second = newSession();
  const asked = await runHook(
    host.prompt(second, newTurn('When do we release, on which day?', '')),
    environment(),
  );
  expect(host.contextOf(asked.stdout)).toContain('We decided to release on Thursdays.');
  if (name === 'copilot') expect(host.contextOf(asked.stdout)).toMatch(/<now\/>\nWhen do we release/);
});

test.each(hostNames)('spec 70 scenario 16: %s keeps a Handoff before compaction', async (name) => {
  const host = hostOf(name);
  const session = newSession();
  const turn = newTurn('Migrate the invoices.', 'Half of the invoices are migrated.');
  await runHook(host.prompt(session, turn), environment());
  await runHook(await host.answer(session, turn), environment());
  expect(await runHook(host.compaction(session), environment())).toEqual({ code: 0, stdout: '', stderr: '' });
  const { content } = await latestHandoff();
  expect(content).toMatchObject({
    objective: 'Migrate the invoices.',
    state: [
      { text: 'Asked: Migrate the invoices.' },
      { text: 'Answered: Half of the invoices are migrated.' },
    ],
    disposition: 'continuable',
    next_action: null,
  });
  // The boundary, and the Source of the text itself.
  expect(content?.state[1]?.citations).toHaveLength(2);

  const asked = await runHook(host.prompt(session, newTurn('Go on.', '')), environment());
  expect(host.contextOf(asked.stdout)).toContain('BEGIN_SERVICE_HANDOFF_V1');
  expect(host.contextOf(asked.stdout)).toContain('Half of the invoices are migrated.');
  const again = await runHook(host.prompt(session, newTurn('And on.', '')), environment());
  expect(host.contextOf(again.stdout)).not.toContain('BEGIN_SERVICE_HANDOFF_V1');
});

test('spec 70 scenario 15: OpenCode calls the program inside its process', async () => {
  for (const [key, value] of Object.entries(environment())) vi.stubEnv(key, value);
  const { openCodePlugin } = await import(pathToFileURL(hookProgram).href);
  const messages: unknown[] = [];
  const client = { session: { messages: async () => ({ data: messages }), get: async () => ({ data: {} }) } };
  const plugin = await openCodePlugin({ directory: cwd, client });
  const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
  const ask = async (sessionID: string, id: string, prompt: string) => {
    const output = { message: { id, role: 'user' }, parts: [text(prompt)] as Record<string, unknown>[] };
    await plugin['chat.message']({ sessionID }, output);
    return output.parts.slice(1);
  };
  await plugin.event({ event: { type: 'session.created', properties: { info: { id: 'ses_1' } } } });
  expect(await ask('ses_1', 'msg_1', 'Where do the logs go?')).toEqual([]);
  messages.push(
    { info: { id: 'msg_1', role: 'user' }, parts: [text('Where do the logs go?')] },
    {
      info: { id: 'msg_2', role: 'assistant' },
      parts: [text('We decided to keep logs in the bucket east-7.')],
    },
  );
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  const compacting = { context: [] as string[] };
  await plugin['experimental.session.compacting']({ sessionID: 'ses_1' }, compacting);
  expect(compacting.context.join()).toContain('We decided to keep logs in the bucket east-7.');
  await plugin.event({
    event: { type: 'session.created', properties: { info: { id: 'ses_sub', parentID: 'ses_1' } } },
  });
  expect(await ask('ses_sub', 'msg_7', 'A prompt of an agent.')).toEqual([]);
  await plugin.dispose();

  const said = await contentSources();
  expect(said.map(({ source_id }) => source_id)).toEqual([
    'opencode/ses_1/msg_1/prompt',
    'opencode/ses_1/msg_1/answer',
  ]);
  await waitUntil(async () => (await latestHandoff()).current_revision?.revision === 2);
  const [part, ...others] = await ask('ses_2', 'msg_9', 'In which bucket do we keep logs?');
  expect(others).toEqual([]);
  expect(part).toMatchObject({ type: 'text', synthetic: true, sessionID: 'ses_2', messageID: 'msg_9' });
  expect(part?.['id']).toMatch(/^prt_[0-9a-f]{12}/);
  expect(part?.['text']).toContain('BEGIN_SERVICE_HANDOFF_V1');
  expect(part?.['text']).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V2');
});

test('spec 70 §2.2: each of more than a hundred answers to one prompt is stored, and a repeat is not', async () => {
  for (const [key, value] of Object.entries(environment())) vi.stubEnv(key, value);
  const { openCodePlugin } = await import(pathToFileURL(hookProgram).href);
  const said = (id: string, role: string, text: string) => ({
    info: { id, role },
    parts: [{ type: 'text', text }],
  });
  let answer = '';
  const messages = async () => ({
    data: [said('msg_1', 'user', 'Go on until it works.'), said('msg_2', 'assistant', answer)],
  });
  const client = { session: { messages, get: async () => ({ data: {} }) } };
  const plugin = await openCodePlugin({ directory: cwd, client });
  const answers = Array.from({ length: 103 }, (_, number) => `Attempt ${number + 1} has failed.`);
  for (answer of [...answers, ...answers.slice(-1)]) {
    await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  }
  await plugin.dispose();
  const acme = clientOf(service.url, 'acme');
  const read = async (number: number) => {
    const source_id = `opencode/ses_1/msg_1/answer${number === 1 ? '' : `~${number}`}`;
    const params = { scope_id, source_type: 'content', source_id };
    const got = await acme.call('get_source', { params });
    return got.status === 200 ? got.body.content : got.status;
  };
  const numbers = Array.from({ length: 104 }, (_, index) => index + 1);
  expect(await Promise.all(numbers.map(read))).toEqual([...answers, 404]);
  expect(await readdir(join(cwd, 'state', 'continuity', 'queue'))).toEqual([]);
});

test('spec 70 scenario 17: work begun in Claude Code is in the first request of Codex', async () => {
  const [claude, codex] = [hostOf('claude-code'), hostOf('codex')];
  const session = newSession();
  const turn = newTurn('Rename the module billing.', 'We decided to rename it to invoicing.');
  await runHook(claude.prompt(session, turn), environment());
  await runHook(await claude.answer(session, turn), environment());
  await runHook(claude.end(session), environment());
  await handoffWritten();
  const started = await runHook(codex.start(newSession()), environment());
  expect(started.stderr).toBe('');
  expect(codex.contextOf(started.stdout)).toContain('"objective":"Rename the module billing."');

  const complete = {
    objective: 'Rename.',
    state: [{ text: 'All is renamed.' }],
    disposition: 'complete' as const,
  };
  await clientOf(service.url, 'acme').call('handoff_current_work', {
    body: { scope_id, source_id: 'all-done', handoff: complete, commit: true },
  });
  expect(await runHook(codex.start(newSession()), environment())).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test('spec 70 scenario 18: texts said while the service is down are stored once it is up', async () => {
  const host = hostOf('claude-code');
  const port = await freePort();
  const env = environment({ CONTINUITY_URL: `http://127.0.0.1:${port}` });
  const texts: string[] = [];
  // Four sessions of five turns at once.
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (id) => {
      for (let n = 0; n < 5; n += 1) {
        const turn = newTurn(`Prompt ${n} of ${id}.`, `Answer ${n} of ${id}.`);
        texts.push(turn.prompt, turn.answer);
        for (const event of [host.prompt({ id, cwd }, turn), await host.answer({ id, cwd }, turn)]) {
          const run = await runHook(event, env);
          expect(run.stderr).toMatch(/^continuity: [^\n]+ECONNREFUSED[^\n]+\n$/);
        }
      }
    }),
  );
  const proxy = createHttpServer((request, response) => {
    const { method = 'POST', headers, url: path } = request;
    const sent = httpRequest(`${service.url}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(sent);
  }).listen(port, '127.0.0.1');
  try {
    await Promise.all(['a', 'b'].map((id) => runHook(host.end({ id, cwd }), env)));
    await waitUntil(async () => (await contentSources().catch(() => [])).length === texts.length);
    const stored = (await contentSources()).map(({ content }) => content);
    expect(stored.toSorted()).toEqual(texts.toSorted());
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test('spec 70 scenario 18: a text that finds the queue full is counted, and said', async () => {
  const queue = join(cwd, 'state', 'continuity', 'queue');
  await mkdir(queue, { recursive: true });
  for (let n = 0; n < 2_000; n += 1)
    await writeFile(join(queue, `${String(n).padStart(15, '0')}-00000000-9.json`), '{}');
  const env = environment({ CONTINUITY_URL: 'http://127.0.0.1:9' });
  const host = hostOf('claude-code');
  const run = await runHook(host.prompt(newSession(), newTurn('One more.', '')), env);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('The queue of texts is full');
  expect(run.stderr).toContain('continuity import');
  expect((await stat(join(queue, 'not-kept'))).size).toBe(1);
});

test('spec 70 scenario 19: a long prompt with a NUL and a lone surrogate is stored whole', async () => {
  const host = hostOf('claude-code');
  const prompt = `We\0 decided \ud800to pay.\n${'line of a long text\n'.repeat(22_500)}`.slice(0, 450_000);
  const session = newSession();
  const run = await runHook(host.prompt(session, { id: 'long', prompt, answer: '' }), environment());
  // On a busy machine the service may answer too late, which is said; the next event sends the text then.
  expect(run.stderr.replace(/^continuity: \S+ did not answer in time\.\n$/, '')).toBe('');
  await runHook(host.end(session), environment());
  await waitUntil(async () => (await contentSources()).length === 3);
  const parts = await contentSources();
  expect(parts.map(({ content }) => content).join('')).toBe(prompt.replace(/[\0\ud800]/g, '\uFFFD'));
  for (const { source_id } of parts) expect(source_id).toMatch(/\/long\/prompt\/part-[123]$/);
});

test('spec 70 scenario 22: files are for this user alone, and none holds the token', async () => {
  const host = hostOf('codex');
  const env = environment({ CONTINUITY_URL: 'http://127.0.0.1:9' });
  const session = newSession();
  await runHook(host.prompt(session, newTurn('Remember ghp_a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4a1B2.', '')), env);
  const state = join(cwd, 'state', 'continuity');
  const entries = await readdir(state, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile()).length).toBeGreaterThanOrEqual(2);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    expect((await stat(path)).mode & 0o777, path).toBe(entry.isFile() ? 0o600 : 0o700);
    if (entry.isFile()) expect(await readFile(path, 'utf8')).not.toMatch(/token-of-|ghp_/);
  }
});

test('a profile of the command line names service, token and Scope, unless others can read it', async () => {
  const config = join(cwd, 'config', 'continuity', 'config.json');
  await mkdir(join(cwd, 'config', 'continuity'), { recursive: true });
  const profile = { url: service.url, token: tokenOf('acme'), scope: `profile-${randomUUID()}` };
  await writeFile(config, JSON.stringify({ current: 'home', profiles: { home: profile } }), { mode: 0o600 });
  const env = { HOME: home, XDG_STATE_HOME: join(cwd, 'state'), XDG_CONFIG_HOME: join(cwd, 'config') };
  const host = hostOf('claude-code');
  const turn = newTurn('Which port?', 'We decided on port 7777.');
  expect(await runHook(await host.answer(newSession(), turn), env)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect((await contentSources('acme', profile.scope)).map(({ content }) => content)).toEqual([turn.answer]);

  await writeFile(config, JSON.stringify({ profiles: {} }), { mode: 0o600 });
  await rm(config);
  await writeFile(config, '{}', { mode: 0o644 });
  const open = await runHook(host.prompt(newSession(), turn), { ...env, CONTINUITY_URL: service.url });
  expect(open.stderr).toContain('chmod 600');
});

test('spec 70 scenario 40: a tenant with the same sessions stores its own, and texts of the other one wait', async () => {
  const host = hostOf('claude-code');
  const session = newSession();
  const turn = { id: 'turn-1', prompt: 'Keep the secret plan of acme.', answer: '' };
  const wrong = environment({ CONTINUITY_TOKEN: `${tokenOf('acme')}-expired` });
  const refused = await runHook(host.prompt(session, turn), wrong);
  expect(refused.stderr).toMatch(/token/i);

  const globex = environment({ CONTINUITY_TOKEN: tokenOf('globex') });
  const own = { ...turn, prompt: 'Keep the plan of globex.', answer: 'It is kept.' };
  expect((await runHook(host.prompt(session, own), globex)).stderr).toBe('');
  expect((await runHook(await host.answer(session, own), globex)).stderr).toBe('');
  const stored = (await contentSources('globex')).map(({ content }) => content);
  expect(stored).toEqual([own.prompt, own.answer]);
  const queue = await readdir(join(cwd, 'state', 'continuity', 'queue'));
  expect(queue.filter((name) => name.endsWith('.json'))).toHaveLength(1);
});
