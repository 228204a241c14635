import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { runCli, startCli } from '../support/cli.ts';

/** Answers with its request, as the type that the path wants. */
const server = createServer(async (request, response) => {
  const [, type = 'json'] = request.url?.split('/') ?? [];
  response.writeHead(200, { 'content-type': type === 'html' ? 'text/html' : 'application/json' });
  const body = await text(request);
  if (type === 'html') response.end('<h1>Welcome</h1>');
  else if (type === 'null') response.end('null');
  else response.end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

afterAll(() => server.close());

const run = (address: string, args: string[], input = '') =>
  runCli(args, { env: { CONTINUITY_URL: address, CONTINUITY_SCOPE: 'cli' }, input });

test.each(['html', 'json', 'null'])('flush ends with an error at another service (%s)', async (type) => {
  expect(await run(`${url}/${type}`, ['flush'])).toMatchObject({
    code: 6,
    stdout: '',
    stderr: expect.stringContaining('is another service (HTTP 200)'),
  });
});

test('mcp passes messages on whole, with any line separator of Unicode and any size', async () => {
  const texts = ['one\u2028two\u2029three', '€'.repeat(200_000), 'short'];
  const messages = texts.map((note, id) => ({ jsonrpc: '2.0', id, method: 'ping', params: { note } }));
  for (const separator of ['\n', '\r\n']) {
    const input = messages.map((message) => JSON.stringify(message)).join(separator);
    const { code, stdout } = await run(`${url}/json`, ['mcp'], input);
    expect(code).toBe(0);
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: number });
    expect(answers.sort((a, b) => a.id - b.id)).toEqual(messages);
  }
});

test('spec 70 scenario 30: mcp waits for a service that starts, and ends when its input is closed', async () => {
  const late = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    calls += 1;
    if (calls === 1) response.writeHead(503).end('{"error":{"message":"starts"}}');
    else void text(request).then((body) => response.end(body));
  });
  let calls = 0;
  // Below the ports that the system gives away, so that no other test takes it meanwhile.
  const port = 20_000 + (process.pid % 10_000);
  const child = startCli(['mcp'], { CONTINUITY_URL: `http://127.0.0.1:${port}`, CONTINUITY_SCOPE: 'cli' });
  const exited = once(child, 'exit');
  child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  late.listen(port, '127.0.0.1');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(JSON.parse(line.toString())).toMatchObject({ id: 7, method: 'ping' });
  expect(calls).toBe(2);
  await new Promise((resolve) => {
    late.close(resolve);
    late.closeAllConnections();
  });
  // Its service is gone again: the message waits, until the input ends.
  child.stdin.end('{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 8, error: { message: expect.any(String) } });
  expect(await exited).toEqual([0, null]);
});
