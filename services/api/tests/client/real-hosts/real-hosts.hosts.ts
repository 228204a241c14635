import { spawn } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type StubModels, startStubModels } from './stub-models.ts';

const fact = 'We decided to call the release ZEBRA-7.';
const scope_id = 'project:atlas';

let service: TestService;
let models: StubModels;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-real-hosts-'));
  await mkdir(join(home, 'atlas'));
  service = await startService({ workers: true });
  models = await startStubModels(fact);
});

afterAll(async () => {
  models.stop();
  await service.stop();
  await rm(home, { recursive: true, force: true });
});

const environment = () => ({
  HOME: home,
  PATH: [process.env['AGENT_HOSTS_BIN'], dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  CONTINUITY_URL: service.url,
  ANTHROPIC_BASE_URL: models.url,
  ANTHROPIC_API_KEY: 'stub',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: `${models.url}/v1`,
  COPILOT_PROVIDER_API_KEY: 'stub',
  COPILOT_MODEL: 'gpt-4.1',
});

/** Runs a host with a prompt. Returns the requests that it sent to its model. */
async function ask(command: string, args: string[]): Promise<string> {
  const before = models.requests.length;
  const child = spawn(command, args, {
    cwd: join(home, 'atlas'),
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, `${stdout}${stderr}`).toBe(0);
  return models.requests.slice(before).join('\n');
}

const setUp = async (host: string) =>
  expect(await runCli(['setup', host], { env: environment() })).toMatchObject({ code: 0 });

async function sources(): Promise<string[]> {
  const read = await service.call('list_sources', { params: { scope_id }, query: {} });
  return read.status === 200 ? read.body.items.map(({ source_id }) => source_id).toReversed() : [];
}

const handoffRevision = async () => {
  const body = { scope_id, selection: 'latest' as const };
  return (await service.call('continue_handoff', { body })).body.current_revision?.revision ?? 0;
};

test('Claude Code: a fact of the first session is in the request of the second one', async () => {
  await setUp('claude-code');
  await ask('claude', ['-p', 'What is the name of the release?']);
  await waitUntil(async () => (await handoffRevision()) === 1);
  const said = await sources();
  expect(said).toEqual([
    expect.stringMatching(/^claude-code\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/prompt$/),
    expect.stringMatching(/^claude-code\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/answer$/),
  ]);
  const asked = await ask('claude', ['-p', 'And which name has the release?']);
  expect(asked).toContain('BEGIN_SERVICE_HANDOFF_V1');
  expect(asked).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V2');
  expect(asked).toContain(fact);
});

test('Codex: its first request has the work that was begun in Claude Code', async () => {
  await setUp('codex');
  const provider = `\n[model_providers.stub]\nname = "stub"\nbase_url = "${models.url}/v1"\nwire_api = "responses"\n`;
  await appendFile(join(home, '.codex', 'config.toml'), provider);
  const trusted = ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'];
  const asked = await ask('codex', [
    ...trusted,
    '-c',
    'model_provider=stub',
    '-m',
    'gpt-5',
    'Go on with the release.',
  ]);
  expect(asked).toContain('BEGIN_SERVICE_HANDOFF_V1');
  expect(asked).toContain(fact);
  await waitUntil(async () => (await sources()).filter((id) => id.startsWith('codex/')).length === 2);
});

test('Copilot CLI: its first request has the context of the session before a prompt, and of the prompt', async () => {
  await setUp('copilot');
  const asked = await ask('copilot', ['-p', 'Which name has the release?', '--allow-all-tools']);
  expect(asked).toContain('BEGIN_SERVICE_HANDOFF_V1');
  expect(asked).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V2');
  expect(asked).toContain(fact);
  await waitUntil(async () => (await sources()).filter((id) => id.startsWith('copilot/')).length === 2);
});

test('what the hooks stored, an import finds already there', async () => {
  const run = await runCli(['import', 'claude-code', 'codex', 'copilot', '--json'], { env: environment() });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ added: 0 });
});
