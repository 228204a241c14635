import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { runProcess } from '../src/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'continuity-process-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, source);
  return path;
}

test('waits for a line and for HTTP, passes only the given environment, and reports how the process ended', async () => {
  const path = await program(
    'server.ts',
    `import { createServer } from 'node:http';
     const server = createServer((_, response) => response.end(process.env['GREETING'] + process.env['TEST_OUTSIDE']));
     server.listen(0, '127.0.0.1', () => console.log('listening on', (server.address() as { port: number }).port));
     process.on('SIGTERM', () => process.exit(7));`,
  );
  vi.stubEnv('TEST_OUTSIDE', 'set');
  onTestFinished(() => void vi.unstubAllEnvs());
  const running = runProcess([path], { GREETING: 'hello ' });
  const line = await running.waitForLine(/listening on \d+/);
  const response = await running.waitForHttp(`http://127.0.0.1:${line.split(' ').at(-1)}/`);
  expect(await response.text()).toBe('hello undefined');
  running.kill();
  expect(await running.exited).toEqual({ code: 7, signal: null });
});

test('a killed process ends by the signal', async () => {
  const running = runProcess([await program('idle.ts', "console.log('up'); setInterval(() => {}, 60_000);")]);
  await running.waitForLine('up');
  running.kill('SIGKILL');
  expect(await running.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('reports the output of a process that ends before it writes the line', async () => {
  const running = runProcess([await program('broken.ts', "console.error('no database'); process.exit(1);")]);
  await expect(running.waitForLine('ready')).rejects.toThrow(
    /ended before it provided a line with ready.*no database/s,
  );
});
