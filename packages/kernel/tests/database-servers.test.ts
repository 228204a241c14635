import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseServersOf, loadSettings, settingsOfServer } from '@continuity/kernel/config';
import { Resources, startOnServers } from '@continuity/kernel/process';
import { createLogger, type Telemetry } from '@continuity/kernel/telemetry';
import { temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';

const a = { name: 'a', url: 'postgresql://user:secret@a.example.com/one' };
const b = { name: 'b', url: 'postgresql://user:secret@b1:5432,b2:5433/two?target_session_attrs=read-write' };
const folder = await temporaryDirectory('servers');
let files = 0;

async function read(content: string | { servers: unknown }) {
  files += 1;
  const path = join(folder, `${files}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return databaseServersOf(loadSettings({ DATABASE_SERVERS_FILE: path }));
}

test('a file names its servers, with one or several hosts each', async () => {
  expect(databaseServersOf(loadSettings({ DATABASE_URL: a.url }))).toBeUndefined();
  const more = {
    direct_url: 'postgresql://b1/two',
    capacity_gib: 2,
    takes_new_tenants: false,
    tenants: ['acme'],
  };
  expect(await read({ servers: [a, { ...b, ...more }] })).toEqual([
    {
      ...a,
      directUrl: undefined,
      capacityBytes: undefined,
      takesNewTenants: true,
      tenants: [],
    },
    {
      ...b,
      directUrl: more.direct_url,
      capacityBytes: 2 * 1024 ** 3,
      takesNewTenants: false,
      tenants: ['acme'],
    },
  ]);
});

test('each server has its own queue keys, and the first one keeps those of a deployment with one', async () => {
  const settings = loadSettings({ QUEUE_PREFIX: 'mine' });
  const servers = (await read({ servers: [a, b] })) ?? [];
  const own = servers.map((server, index) => settingsOfServer(settings, server, index === 0));
  expect(own.map(({ DATABASE_URL, QUEUE_PREFIX }) => [DATABASE_URL, QUEUE_PREFIX])).toEqual([
    [a.url, 'mine'],
    [b.url, 'mine@b'],
  ]);
});

test.each([
  ['no JSON', '{"servers":', 'is no JSON'],
  ['no server', { servers: [] }, 'servers is invalid'],
  [
    'too many servers',
    { servers: Array.from({ length: 33 }, (_, n) => ({ name: `s${n}`, url: `postgresql://h${n}/d` })) },
    'servers is invalid',
  ],
  ['an invalid name', { servers: [{ ...a, name: 'A b' }] }, 'servers[0].name is invalid'],
  ['an unknown field', { servers: [{ ...a, weight: 1 }] }, 'servers[0] has an unknown field'],
  ['a name twice', { servers: [a, { ...b, name: 'a' }] }, 'has the server "a" twice'],
  ['a URL twice', { servers: [a, { ...a, name: 'b' }] }, 'has a URL twice'],
  [
    'a tenant twice',
    {
      servers: [
        { ...a, tenants: ['x'] },
        { ...b, tenants: ['x'] },
      ],
    },
    'has the tenant "x" twice',
  ],
  ['another scheme', { servers: [{ ...a, url: 'mysql://user:secret@a/one' }] }, 'The url of the server "a"'],
  ['a raw character', { servers: [{ ...a, url: 'postgresql://user:sec#ret@a/one' }] }, 'Percent-encode'],
  ['a standby', { servers: [{ ...a, url: `${a.url}?target_session_attrs=standby` }] }, 'must be read-write'],
])('a file with %s is refused in a sentence without secrets', async (_what, content, sentence) => {
  const message = await read(content).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  expect(message).toContain(sentence);
  expect(message).toContain('DATABASE_SERVERS_FILE');
  expect(message).not.toContain('secret');
  expect(message).not.toContain('sec#ret');
});

test('a missing file, and settings beside it that have no meaning, are refused', () => {
  expect(() => databaseServersOf({ DATABASE_SERVERS_FILE: join(folder, 'none.json') })).toThrow(
    'DATABASE_SERVERS_FILE cannot be read: ENOENT.',
  );
  expect(() => loadSettings({ DATABASE_URL: a.url, DATABASE_SERVERS_FILE: 'x' })).toThrow(
    'Only one of DATABASE_URL and DATABASE_SERVERS_FILE may be set.',
  );
  expect(() => loadSettings({ WORKER_SERVERS: 'a' })).toThrow('DATABASE_SERVERS_FILE must be set');
});

test('a worker process works for all servers, or for those that it names, and stops all of them', async () => {
  const path = join(folder, 'workers.json');
  await writeFile(path, JSON.stringify({ servers: [a, b] }));
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const runOn = async (environment: Record<string, string>) => {
    const settings = loadSettings({ DATABASE_SERVERS_FILE: path, ...environment });
    const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
    const started: (string | undefined)[] = [];
    const stopped: (string | undefined)[] = [];
    const service = { settings, logger, telemetry: {} as Telemetry, resources };
    const worker = await startOnServers(service, async ({ server, settings: own, resources: opened }) => {
      started.push(server?.name, own.DATABASE_URL);
      opened.onClose('worker', () => stopped.push(server?.name));
      return {
        workerId: `worker-${server?.name}`,
        isReady: () => server?.name === 'a',
        failed: Promise.resolve(),
      };
    });
    await worker.failed;
    await resources.close();
    return { started, stopped, workerId: worker.workerId, isReady: worker.isReady() };
  };
  expect(await runOn({})).toEqual({
    started: ['a', a.url, 'b', b.url],
    stopped: ['a', 'b'],
    workerId: 'worker-a worker-b',
    isReady: false,
  });
  expect(await runOn({ WORKER_SERVERS: 'a' })).toEqual({
    started: ['a', a.url],
    stopped: ['a'],
    workerId: 'worker-a',
    isReady: true,
  });
  await expect(runOn({ WORKER_SERVERS: 'c' })).rejects.toThrow(
    'WORKER_SERVERS names "c", which is no server of DATABASE_SERVERS_FILE.',
  );
});
