import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

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
