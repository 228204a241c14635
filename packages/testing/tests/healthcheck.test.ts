import { once } from 'node:events';
import { accessSync, constants, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runProcess, temporaryDirectory } from '../src/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
/** The health check of the image, below the root of the repository. */
const [, script = ''] = /^HEALTHCHECK .*CMD \["\/app\/([^"]+)"\]$/m.exec(dockerfile) ?? [];

async function exitCodeOf(environment: Record<string, string>): Promise<number | null> {
  await using check = runProcess([script], environment);
  return (await check.exited).code;
}

test('the health check of the image is an executable file without arguments', () => {
  accessSync(join(root, script), constants.X_OK);
  expect(readFileSync(join(root, script), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('a gateway is live while it answers', async () => {
  let status = 200;
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/health/live' ? status : 404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  expect(await exitCodeOf({ PORT })).toBe(0);
  status = 503;
  expect(await exitCodeOf({ PORT })).toBe(1);
  server.close();
  server.closeAllConnections();
  expect(await exitCodeOf({ PORT })).toBe(1);
});

test('a worker is live while it touches its file', async () => {
  const file = join(await temporaryDirectory('alive'), 'alive');
  expect(await exitCodeOf({ LIVENESS_FILE: file })).toBe(1);
  writeFileSync(file, '');
  expect(await exitCodeOf({ LIVENESS_FILE: file })).toBe(0);
  const before = Date.now() / 1_000 - 40;
  utimesSync(file, before, before);
  expect(await exitCodeOf({ LIVENESS_FILE: file })).toBe(1);
});
