import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runProcess, temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });

afterAll(() => service.stop());

const example = 'docs/examples/markdown-folder-connector.mjs';
const start = (folder: string, scope: string, url = service.url) =>
  runProcess([example, folder], { API: url, SCOPE: scope });

/** Runs the example to its end; answers what it says. */
async function run(folder: string, scope: string): Promise<unknown> {
  await using connector = start(folder, scope);
  const { code } = await connector.exited;
  expect(code, connector.output()).toBe(0);
  return JSON.parse(connector.output());
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryDirectory('connector');
  await mkdir(join(folder, 'deep'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('the example submits what is new or has changed, and what it brings is found', async () => {
  const scope = freshScope();
  const folder = await folderWith({
    'one.md': 'We decided to send the first reminder on day three.',
    'deep/two é.md': 'Expired carts must answer 410.',
    'empty.md': ' \n',
    'other.txt': 'Not Markdown.',
  });
  expect(await run(folder, scope)).toEqual({ submitted: 2, unchanged: 0, skipped: ['empty.md'] });
  expect(await run(folder, scope)).toEqual({ submitted: 0, unchanged: 2, skipped: ['empty.md'] });
  await writeFile(join(folder, 'one.md'), 'We decided to send the first reminder on day five.');
  expect(await run(folder, scope)).toEqual({ submitted: 1, unchanged: 1, skipped: ['empty.md'] });
  expect(await capture(service, scope, 'next')).toBe(4);
  await service.call('flush_memory', { body: { scope_id: scope } });
  const { body } = await service.call('search_memory', {
    body: { scope_id: scope, query: 'reminder on day five' },
  });
  expect(body.hits[0]?.text).toBe('We decided to send the first reminder on day five.');
});

test('a crash between submit and commit is made good by the next run', async () => {
  const scope = freshScope();
  const folder = await folderWith({ 'one.md': 'One.', 'two.md': 'Two.' });
  const proxy = createServer(async (request, response) => {
    // The process is killed before its commit gets anywhere.
    if (request.url?.endsWith('/commit')) {
      crashing.kill('SIGKILL');
      return;
    }
    const body = Buffer.concat(await request.toArray());
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(service.url + request.url, { method: 'POST', headers, body });
    response.writeHead(reply.status, headers).end(await reply.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  await using crashing = start(folder, scope, `http://127.0.0.1:${port}`);
  expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
  proxy.closeAllConnections();
  proxy.close();
  expect(await capture(service, scope, 'between')).toBe(3);
  expect(await run(folder, scope)).toMatchObject({ submitted: 2 });
  expect(await run(folder, scope)).toMatchObject({ submitted: 0, unchanged: 2 });
  expect(await capture(service, scope, 'next')).toBe(4);
});

test('of two runs at once each file is there once, and no change of either is lost', async () => {
  const scope = freshScope();
  const folder = await folderWith({ 'one.md': 'One.', 'two.md': 'Two.' });
  const runs = await Promise.all(
    [0, 1].map(async () => {
      await using connector = start(folder, scope);
      const { code } = await connector.exited;
      return { code, output: connector.output() };
    }),
  );
  for (const { code, output } of runs)
    expect(code === 0 || output.includes('checkpoint_conflict'), output).toBe(true);
  expect(runs.some(({ code }) => code === 0)).toBe(true);
  expect(await run(folder, scope)).toMatchObject({ submitted: 0, unchanged: 2 });
  expect(await capture(service, scope, 'next')).toBe(3);
});
