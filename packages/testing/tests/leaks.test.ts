import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { watchResources } from '../src/index.ts';

test('names open resources, and none after they are closed', async () => {
  const watch = watchResources();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  expect(await watch.leaked(100)).toContain('TCPServerWrap');
  await new Promise((resolve) => server.close(resolve));
  expect(await watch.leaked()).toEqual([]);
});
