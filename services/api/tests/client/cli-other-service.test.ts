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
    stderr: expect.stringContaining('HTTP 200 without an answer of the service'),
  });
});
