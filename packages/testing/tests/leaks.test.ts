import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openResources } from '../src/index.ts';

test('names what was left open, and nothing once it is closed', async () => {
  const watch = openResources();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  expect(await watch.leaked(100)).toContain('TCPServerWrap');
  await new Promise((resolve) => server.close(resolve));
  expect(await watch.leaked()).toEqual([]);
});
