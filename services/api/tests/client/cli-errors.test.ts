import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuity-errors-'));
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const envOf = (url = service.url) => ({
  XDG_CONFIG_HOME: folder,
  CONTINUITY_URL: url,
  CONTINUITY_TOKEN: tokenOf('acme'),
  CONTINUITY_SCOPE: 'errors',
});
const cli = (...args: string[]) => runCli(args, { env: envOf() });

/** Starts another server until the test ends. Returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The service behind a proxy that answers some paths itself. */
async function proxy(answers: Record<string, { status: number; body: object }>): Promise<string> {
  return await serve(async (request, response) => {
    const path = request.url ?? '';
    const own = answers[path];
    if (own !== undefined) {
      response.writeHead(own.status, { 'x-service-request-id': 'request-1' }).end(JSON.stringify(own.body));
      return;
    }
    const { method = 'GET', headers } = request;
    const { authorization = '' } = headers;
    const reply = await fetch(service.url + path, { method, headers: { authorization } });
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  });
}

const refusal = (code: string, message: string) => ({ error: { code, message, details: {} } });

async function fileWith(content: string): Promise<string> {
  const path = join(folder, 'input.json');
  await writeFile(path, content);
  return path;
}

test.each([
  ['a page', 'text/html', '<html>Welcome</html>'],
  ['other JSON', 'application/json', '{"status":"ok"}'],
])('another service that answers 200 with %s is named', async (_name, type, body) => {
  const url = await serve((_request, response) => response.setHeader('content-type', type).end(body));
  const message = `error: ${url} is another service (HTTP 200). Correct --url or CONTINUITY_URL.\n`;
  for (const args of [['list'], ['search', 'x'], ['report'], ['remember', 'x'], ['scopes', 'list']]) {
    expect(await runCli(args, { env: envOf(url) })).toEqual({ code: 6, stdout: '', stderr: message });
  }
  const diagnosed = await runCli(['doctor'], { env: envOf(url) });
  expect(diagnosed).toMatchObject({ code: 6, stdout: expect.stringContaining('is another service') });
});

test('a service that is not there is named, with the reason', async () => {
  const closed = await runCli(['list'], { env: envOf('http://127.0.0.1:2') });
  expect(closed).toMatchObject({
    code: 6,
    stderr: 'error: http://127.0.0.1:2 did not answer (ECONNREFUSED).\n',
  });
});

test('an error on a terminal follows no progress text', async () => {
  const env = {
    ...envOf(),
    NODE_OPTIONS: '--import data:text/javascript,process.stderr.isTTY=true',
  };
  const source = ['--source', 'content/none'];
  for (const args of [
    ['report'],
    ['experience', 'generate', ...source],
    ['skill', 'generate', '--origin', 'source', ...source],
    ['external-skills', 'import', 'a:b', '--fingerprint', 'a'.repeat(64)],
  ]) {
    const { stderr } = await runCli([...args, '--scope', 'none'], { env });
    expect(stderr.replaceAll('\u001b[31m', '')).toContain('…\r\u001b[Kerror:');
  }
});

test.each([405, 415, 421, 431])('a refusal with the status %i is a wrong request', async (status) => {
  const url = await proxy({ '/v1/stats': { status, body: refusal('refused', 'Refused.') } });
  expect(await runCli(['call', 'get_stats'], { env: envOf(url) })).toMatchObject({ code: 2 });
});

test('arguments that no request can carry are wrong arguments', async () => {
  for (const args of [
    ['scopes', 'show', '..'],
    ['jobs', 'show', '..'],
    ['call', 'get_scope', '--file', await fileWith('{"scope_id":"\\ud800"}')],
  ]) {
    expect(await cli(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be part of a path'),
    });
  }
  const nested = await fileWith(`{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(await cli('call', 'create_source', '--file', nested)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nested too deeply'),
  });
});

test('skill export names a folder that does not exist', async () => {
  const project = join(folder, 'none');
  const exported = await cli('skill', 'export', 'skill/x@1', '--agent', 'codex', '--project', project);
  expect(exported).toMatchObject({ code: 2, stderr: expect.stringContaining(`cannot read ${project}`) });
});

test.each([
  [['--json', 'list', 'extra'], 'too many arguments'],
  [['list', '--nope', '--json'], "unknown option '--nope'"],
  [['--json', 'no-such-command'], 'unknown command'],
  [['--json', 'scopes'], 'A command is missing'],
])('wrong arguments with --json are an envelope: %j', async (args, message) => {
  const { code, stdout, stderr } = await cli(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({
    error: { code: 'client_error', message: expect.stringContaining(message), details: {} },
  });
});

test('enroll prints the command that runs its Receiver; once it is revoked, --json prints an envelope', async () => {
  const project = await mkdtemp(join(folder, "it's-"));
  const created = await cli('targets', 'create', 'codex', 'laptop');
  const [, target = ''] = /^The code of (\S+) /.exec(created.stderr) ?? [];
  const receiver = ['--agent', 'codex', '--project', project];
  const enrolled = await runCli(['receiver', 'enroll', ...receiver], {
    env: envOf(),
    input: created.stdout,
  });
  const quoted = project.replace("'", "'\\''");
  expect(enrolled.stdout).toContain(`Start: continuity receiver run --agent codex --project '${quoted}'\n`);
  expect(await cli('targets', 'revoke', target, '--generation', '1')).toMatchObject({ code: 0 });
  const { code, stderr } = await cli('--json', 'receiver', 'run', ...receiver);
  expect(code).toBe(3);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unauthorized' } });
});

test('doctor: a refused host is no finding about the token', async () => {
  const refused = { status: 421, body: refusal('misdirected_request', 'Unknown host.') };
  const url = await proxy({ '/v1/capabilities': refused });
  const { code, stdout } = await runCli(['doctor'], { env: envOf(url) });
  expect(code).toBe(6);
  expect(stdout).toMatch(/FAILED +requests +Unknown host\. \(misdirected_request\)/);
  expect(stdout).not.toMatch(/FAILED +token/);
});

test('doctor: the reason why a token is refused is that of the service', async () => {
  const env = { ...envOf(), CONTINUITY_TOKEN: tokenOf('operator') };
  const { code, stdout } = await runCli(['--json', 'doctor'], { env });
  expect(code).toBe(3);
  expect(stdout).toContain('Send a token of a tenant.');
});

test('doctor: a readiness that cannot be read is one failed row', async () => {
  const refused = { status: 503, body: refusal('generation_unavailable', 'Broken.') };
  const url = await proxy({ '/health/ready': refused });
  const { code, stdout } = await runCli(['doctor'], { env: envOf(url) });
  expect(code).toBe(6);
  expect(stdout).toMatch(/FAILED +readiness +Broken\./);
  expect(stdout).toMatch(
    /^warn +search +by words only\. The readiness cannot be read, so the cause is unknown\.$/m,
  );
  expect(stdout).toMatch(/ok +token +accepted/);
});

test.each([
  {
    cause: 'a check that failed',
    readiness: { checks: { 'inference.embedding': 'misconfigured' } },
    message: 'by words only, because the embedding model is misconfigured. See docs/embeddings.md.',
  },
  {
    cause: 'a reason',
    readiness: { checks: {}, reasons: { 'inference.embedding': 'The built-in embedder did not start.' } },
    message: 'by words only. The built-in embedder did not start.',
  },
])('doctor: search by words is a warning where the readiness has $cause', async ({ readiness, message }) => {
  const url = await proxy({ '/health/ready': { status: 200, body: { status: 'ready', ...readiness } } });
  const { stdout } = await runCli(['--json', 'doctor'], { env: envOf(url) });
  const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
  expect(checks.filter(({ name }) => name === 'search')).toEqual([
    { name: 'search', ok: true, warning: true, message },
  ]);
});

test('doctor: a redirect is not followed, and its target is named', async () => {
  const url = await serve((request, response) =>
    response.writeHead(302, { location: `${service.url}${request.url}` }).end(),
  );
  const { code, stdout } = await runCli(['--json', 'doctor'], { env: envOf(url) });
  expect(code).toBe(6);
  expect(stdout).toContain(`${url} redirects to ${service.url}. Use that address`);
});
