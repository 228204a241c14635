import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

const plugin = fileURLToPath(new URL('../../../../integrations/continuity', import.meta.url));

let service: TestService;
let home: string;
/** A folder of the session, and the Scope that follows from its name. */
let directory: string;
let scope_id: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-hooks-'));
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme') },
    workers: true,
  });
});

afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true });
});

beforeEach(async () => {
  directory = await mkdtemp(join(home, 'project-'));
  scope_id = `project:${directory.slice(home.length + 1)}`;
});

const acme = () => clientOf(service.url, 'acme');
const readJson = async (path: string) => JSON.parse(await readFile(join(plugin, path), 'utf8'));

interface HookRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Plays a host: runs the command that the plugin registers for the event, in a shell, with the payload on standard input. */
async function fire(
  payload: { hook_event_name: string },
  { env = {}, closeInput = true }: { env?: Record<string, string>; closeInput?: boolean } = {},
): Promise<HookRun> {
  const { hooks } = await readJson('hooks/hooks.json');
  const [{ hooks: commands }] = hooks[payload.hook_event_name];
  const child = spawn(commands[0].command, {
    shell: true,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CLAUDE_PLUGIN_ROOT: plugin,
      CONTINUITY_URL: service.url,
      CONTINUITY_TOKEN: tokenOf('acme'),
      ...env,
    },
  });
  // A hook may end before it has read its input.
  child.stdin.on('error', () => undefined);
  if (closeInput) child.stdin.end(JSON.stringify(payload));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** The payloads that Claude Code 2.1 and Codex 0.169 send. */
const hosts = {
  'Claude Code': (session_id: string, event: { hook_event_name: string }) => ({
    session_id,
    transcript_path: '/home/build/.claude/projects/atlas/session.jsonl',
    cwd: directory,
    permission_mode: 'default',
    ...event,
  }),
  Codex: (session_id: string, event: { hook_event_name: string }) => ({
    session_id,
    turn_id: randomUUID(),
    transcript_path: null,
    cwd: directory,
    model: 'gpt-5.6',
    permission_mode: 'default',
    ...event,
  }),
};
const claudeCode = hosts['Claude Code'];

const promptOf = (prompt: string) => ({ hook_event_name: 'UserPromptSubmit', prompt });
const answerOf = (last_assistant_message: string) => ({
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message,
});
const end = { hook_event_name: 'SessionEnd', reason: 'other' };

const remember = async (scope: string, text: string) =>
  await acme().call('remember_memory', { body: { scope_id: scope, kind: 'decision', text } });

const latestHandoff = async () =>
  (await acme().call('continue_handoff', { body: { scope_id, selection: 'latest' } })).body;

const sessionNotes = async () => await readdir(join(home, '.local', 'state', 'continuity', 'sessions'));

test.each(Object.entries(hosts))(
  '%s gets context with a prompt, and leaves Memory and a Handoff',
  async (_name, payload) => {
    await remember(scope_id, 'Deploy on Tuesdays.');
    const session = randomUUID();

    const prompt = await fire(payload(session, promptOf('When do we deploy?')));
    expect(prompt).toMatchObject({ code: 0, stderr: '' });
    const { hookSpecificOutput } = JSON.parse(prompt.stdout);
    expect(hookSpecificOutput.hookEventName).toBe('UserPromptSubmit');
    expect(hookSpecificOutput.additionalContext).toContain('Deploy on Tuesdays.');
    expect(hookSpecificOutput.additionalContext).toContain(`"scope":${JSON.stringify(scope_id)}`);

    const answer = await fire(payload(session, answerOf('We decided to deploy at noon.')));
    expect(answer).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await fire(payload(session, end))).toMatchObject({ code: 0, stdout: '', stderr: '' });

    const handoff = await waitUntil(async () => {
      const latest = await latestHandoff();
      return latest.status === 'resolved' && latest;
    });
    expect(handoff.content).toMatchObject({
      objective: 'When do we deploy?',
      state: [{ text: 'We decided to deploy at noon.' }],
    });
    const found = await acme().call('search_memory', { body: { scope_id, query: 'noon' } });
    expect(found.body.hits).toHaveLength(1);
    await waitUntil(async () => (await sessionNotes()).length === 0);

    // The host sends the event again, or ends a session without a prompt: nothing more is written.
    expect(await fire(payload(session, end))).toMatchObject({ code: 0, stderr: '' });
    expect(await latestHandoff()).toMatchObject({ selected_revision: { revision: 1 } });
  },
);

test('the objective of a session holds no credential of its first prompt', async () => {
  const session = randomUUID();
  const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
  await fire(claudeCode(session, promptOf(`Publish with ${token}, das Passwort lautet geheim123.`)));
  await fire(claudeCode(session, answerOf('We decided to publish at noon.')));
  await fire(claudeCode(session, end));
  const handoff = await waitUntil(async () => {
    const latest = await latestHandoff();
    return latest.status === 'resolved' && latest;
  });
  expect(handoff.content).toMatchObject({
    objective: 'Publish with [redacted], das Passwort lautet [redacted].',
  });
  expect(JSON.stringify(handoff)).not.toMatch(/ghp_|geheim123/);
});

test('CONTINUITY_SCOPE chooses the Scope, and CONTINUITY_CAPTURE=off captures nothing', async () => {
  const chosen = `chosen-${randomUUID()}`;
  await remember(chosen, 'Tea at four.');
  const env = { CONTINUITY_SCOPE: chosen, CONTINUITY_CAPTURE: 'off' };
  const prompt = await fire(claudeCode('quiet', promptOf('When is tea?')), { env });
  expect(prompt.stdout).toContain('Tea at four.');
  const flushed = await acme().call('flush_memory', { body: { scope_id: chosen } });
  expect(flushed.body).toMatchObject({ current_cursor: 0 });
});

test('a prompt beyond the limit of a query is prepared and captured, and a blank one is passed over', async () => {
  const long = `${'deploy '.repeat(1_170)}😀😀😀😀`;
  expect(await fire(claudeCode('long', promptOf(long)))).toMatchObject({ code: 0, stderr: '' });
  expect(await fire(claudeCode('blank', promptOf(' \n ')))).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test('a service of an older release, without the field `format`, prepares its own context', async () => {
  await remember(scope_id, 'Deploy on Tuesdays.');
  const seen: unknown[] = [];
  // In front of the service: it refuses the field, as the release before it does.
  const older = createHttpServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (request.url === '/v1/context/prepare') seen.push(body);
    const error = {
      code: 'invalid_request',
      message: 'format: is not a field of this request',
      details: { issues: [{ path: 'format', message: 'is not a field of this request' }] },
    };
    const { authorization = '' } = request.headers;
    const headers = { 'content-type': 'application/json', authorization };
    const answer =
      'format' in body
        ? { status: 422, json: async () => ({ error }) }
        : await fetch(`${service.url}${request.url}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await answer.json()));
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((listening) => older.once('listening', listening));
    const env = { CONTINUITY_URL: `http://127.0.0.1:${(older.address() as AddressInfo).port}` };
    const run = await fire(claudeCode('older', promptOf('When do we deploy?')), { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const { additionalContext } = JSON.parse(run.stdout).hookSpecificOutput;
    expect(additionalContext).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V1');
    expect(additionalContext).toContain('Deploy on Tuesdays.');
    const query = 'When do we deploy?';
    expect(seen).toEqual([
      { scope_id, query, format: 'compact' },
      { scope_id, query },
    ]);
  } finally {
    older.close();
  }
});

test('a failure is one line on standard error and never stops the host', async () => {
  const refused = await fire(claudeCode('a', promptOf('Hello?')), { env: { CONTINUITY_TOKEN: 'wrong' } });
  expect(refused).toMatchObject({ code: 0, stdout: '' });
  expect(refused.stderr).toMatch(/^continuity: .*token/i);

  const down = await fire(claudeCode('a', promptOf('Hello?')), {
    env: { CONTINUITY_URL: 'http://127.0.0.1:9' },
  });
  expect(down).toMatchObject({ code: 0, stdout: '' });
  expect(down.stderr).toMatch(/^continuity: /);

  const unknown = await fire({ ...claudeCode('a', end), hook_event_name: 'Stop' });
  expect(unknown).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test('a hook ends by itself where the service does not answer, and where its input stays open', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  try {
    await new Promise((listening) => silent.once('listening', listening));
    const env = { CONTINUITY_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` };
    for (const options of [{ env }, { closeInput: false }]) {
      const run = await fire(claudeCode('slow', promptOf('Hello?')), options);
      expect(run).toMatchObject({ code: 0, stdout: '' });
    }
  } finally {
    silent.close();
  }
});

test('the plugin names the same version for each host, and its own files', async () => {
  const { version } = JSON.parse(await readFile(join(plugin, '../../package.json'), 'utf8'));
  expect(await readJson('.claude-plugin/plugin.json')).toMatchObject({ name: 'continuity', version });
  const codex = await readJson('.codex-plugin/plugin.json');
  expect(codex).toMatchObject({ name: 'continuity', version });
  for (const path of [codex.hooks, codex.mcpServers, '.mcp.json']) {
    expect(await readJson(path)).toBeInstanceOf(Object);
  }
});

test.runIf(process.geteuid?.() === 0)(
  'a user without a home folder gets a hook that ends with 0',
  async () => {
    const child = spawn(
      'setpriv',
      [
        ...['--reuid', '1001180000', '--regid', '0', '--clear-groups', process.execPath],
        join(plugin, 'hooks/continuity-hook.mjs'),
      ],
      { env: { PATH: process.env['PATH'], CONTINUITY_URL: service.url, CONTINUITY_TOKEN: tokenOf('acme') } },
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(
      JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        prompt: 'Which port?',
        cwd: '/',
        session_id: 's',
      }),
    );
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    expect([await text(child.stderr), await ended]).toEqual([
      'continuity: This user has no home folder. Set HOME or XDG_STATE_HOME.\n',
      0,
    ]);
  },
);
