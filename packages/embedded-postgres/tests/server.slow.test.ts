import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { availableMemory, EmbeddedPostgres, freePort } from '../src/index.ts';
import { sharedBuffers } from '../src/memory.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function server(directory?: string): Promise<{ postgres: EmbeddedPostgres; directory: string }> {
  const home = directory ?? (await mkdtemp(join(tmpdir(), 'continuity-embedded-')));
  if (!directory) cleanups.push(() => rm(home, { recursive: true, force: true }));
  const postgres = new EmbeddedPostgres({ directory: home, port: await freePort(), durable: true });
  cleanups.push(() => postgres.stop());
  return { postgres, directory: home };
}

/** Starts a server from a process of its own, which says when it has started. */
function spawnOwner(directory: string, port: number, { detached = false } = {}) {
  const source = `
    import { EmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))};
    const postgres = new EmbeddedPostgres({ directory: ${JSON.stringify(directory)}, port: ${port} });
    await postgres.start();
    process.stdout.write('started');
    setInterval(() => {}, 60_000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached,
  });
}

async function query(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url() });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('keeps committed rows over a clean stop and over a crash, on the same port', async () => {
  const { postgres } = await server();
  await postgres.start();
  await query(postgres, 'CREATE TABLE kept (word text)');
  await query(postgres, "INSERT INTO kept VALUES ('clean')");
  await postgres.stop();
  await postgres.start();
  await query(postgres, "INSERT INTO kept VALUES ('crash')");
  await postgres.kill();
  await postgres.start();
  expect(await query(postgres, 'SELECT word FROM kept ORDER BY word')).toEqual([
    { word: 'clean' },
    { word: 'crash' },
  ]);
});

test('refuses a directory that another live process serves, and says which process', async () => {
  const { postgres, directory } = await server();
  const other = spawnOwner(directory, await freePort());
  await once(other.stdout, 'data');
  await expect(postgres.start()).rejects.toThrow(`in use by process ${other.pid}`);

  other.kill('SIGKILL');
  await once(other, 'exit');
  await postgres.start();
  expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

/** Whether a data directory in `home` has been begun. */
async function isBegun(home: string): Promise<boolean> {
  for (const name of await readdir(home)) {
    const version = stat(join(home, name, 'PG_VERSION'));
    if (
      await version.then(
        () => true,
        () => false,
      )
    )
      return true;
  }
  return false;
}

test('starts on a directory whose first start was killed while it was being made', async () => {
  const home = await mkdtemp(join(tmpdir(), 'continuity-embedded-'));
  await chmod(home, 0o755);
  cleanups.push(() => rm(home, { recursive: true, force: true }));
  const { postgres, directory } = await server(join(home, 'data'));
  const other = spawnOwner(directory, await freePort(), { detached: true });
  while (!(await isBegun(home))) await nextTurn();
  // As a container ends: all of its processes at once.
  process.kill(-Number(other.pid), 'SIGKILL');
  await once(other, 'exit');
  await postgres.start();
  expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await readdir(home)).toEqual(['data']);
});

test('says why it does not start where the port is taken', async () => {
  const first = await server();
  await first.postgres.start();
  const home = await mkdtemp(join(tmpdir(), 'continuity-embedded-'));
  cleanups.push(() => rm(home, { recursive: true, force: true }));
  const second = new EmbeddedPostgres({ directory: home, port: first.postgres.port, durable: false });
  await expect(second.start()).rejects.toThrow('could not bind');
});

async function bufferBytes(postgres: EmbeddedPostgres): Promise<unknown> {
  await postgres.start();
  return (await query(postgres, "SELECT pg_size_bytes(current_setting('shared_buffers'))::int AS bytes"))[0];
}

test('keeps as much data in memory as the machine has room for, or as it is told', async () => {
  const { postgres } = await server();
  const megabytes = Number.parseInt(sharedBuffers(availableMemory()), 10);
  expect(await bufferBytes(postgres)).toEqual({ bytes: megabytes * 2 ** 20 });

  const { directory } = await server();
  const told = new EmbeddedPostgres({
    directory,
    port: await freePort(),
    settings: { shared_buffers: '16MB' },
  });
  cleanups.push(() => told.stop());
  expect(await bufferBytes(told)).toEqual({ bytes: 2 ** 24 });
});
