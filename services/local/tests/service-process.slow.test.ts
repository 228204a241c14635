import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { loadSettings } from '@continuity/kernel/config';
import { StartRefusedError } from '@continuity/kernel/process';
import { createLogger } from '@continuity/kernel/telemetry';
import { createDatabase, runProcess, waitUntil } from '@continuity/testing';
import { afterEach, expect, test } from 'vitest';
import { ServiceProcess } from '../src/service-process.ts';

const program = 'dist/reports.mjs';
const node = process.execPath;

afterEach(() => {
  process.execPath = node;
});

const lines: string[] = [];
const settings = loadSettings({ DATABASE_URL: 'postgresql://unused', LOG_LEVEL: 'error' });
const logger = createLogger(settings, 'test', { write: (line) => lines.push(line) });

/** Process ids and niceness of the child processes that run the program. */
async function childrenOf(parent: number): Promise<{ pid: number; niceness: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=,nice=,args=']);
  return [...stdout.matchAll(/^ *(\d+) +(\d+) +(-?\d+) .*dist\/reports\.mjs$/gm)]
    .filter(([, parentId]) => Number(parentId) === parent)
    .map(([, , pid, niceness]) => ({ pid: Number(pid), niceness: Number(niceness) }));
}

test('a service whose process cannot be created fails to start, and stops', async () => {
  process.execPath = '/missing';
  const service = new ServiceProcess({ program, environment: {}, logger });
  await expect(service.start()).rejects.toThrow('ENOENT');
  await service.stop();
});

test('a service that refuses to start is named in one sentence beside its own', async () => {
  const environment = { PATH: process.env['PATH'], DATABASE_POOL_SIZE: 'many' };
  const service = new ServiceProcess({ program, environment, logger });
  await expect(service.start()).rejects.toMatchObject({
    name: StartRefusedError.name,
    message: `The process ${program} did not start: it ended with exit code 2.`,
    exitCode: 2,
  });
});

test('a service whose restart failed is started again', async () => {
  const database = await createDatabase();
  const environment = { PATH: process.env['PATH'], DATABASE_URL: database.url, LOG_LEVEL: 'fatal' };
  const service = new ServiceProcess({ program, environment, logger });
  await service.start();
  const [first] = await childrenOf(process.pid);
  process.execPath = '/missing';
  process.kill(first?.pid ?? 0, 'SIGKILL');
  await waitUntil(() => lines.some((line) => line.includes('the restart failed')));
  process.execPath = node;
  await waitUntil(async () => (await childrenOf(process.pid)).length === 1, { intervalMs: 200 });
  await service.stop();
  expect(await childrenOf(process.pid)).toEqual([]);
  await database.drop();
});

test('a service that was started with `nice` keeps its priority', async () => {
  const database = await createDatabase();
  const script = `
    const { getPriority, setPriority } = await import('node:os');
    const { ServiceProcess } = await import('./services/local/src/service-process.ts');
    setPriority(Math.min(getPriority() + 5, 19));
    const service = new ServiceProcess({ program: '${program}', environment: process.env, logger: console });
    await service.start();
    process.on('SIGTERM', () => service.stop());
    console.log('started');`;
  await using parent = runProcess(['--input-type=module', '--eval', script], {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'fatal',
  });
  await parent.waitForLine('started');
  expect(await childrenOf(parent.pid)).toMatchObject([{ niceness: getPriority(parent.pid) }]);
  parent.kill();
  await parent.exited;
  await database.drop();
});

const hasSessionGroups = existsSync('/proc/self/autogroup');

test('a service of a low priority has it beside other sessions, too', async () => {
  const database = await createDatabase();
  const environment = { PATH: process.env['PATH'], DATABASE_URL: database.url, LOG_LEVEL: 'fatal' };
  const service = new ServiceProcess({ program, environment, logger, niceness: 15 });
  await service.start();
  const [child] = await childrenOf(process.pid);
  expect(child?.niceness).toBe(15);
  if (hasSessionGroups) expect(await readFile(`/proc/${child?.pid}/autogroup`, 'utf8')).toContain('nice 15');
  await service.stop();
  await database.drop();
});
