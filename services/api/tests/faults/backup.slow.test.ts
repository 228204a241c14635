import { type ExecFileException, execFile } from 'node:child_process';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrate } from '@continuity/kernel/database';
import {
  findPostgresPrograms,
  freePort,
  hasRedis,
  type RedisServer,
  startRedis,
  temporaryDirectory,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const execute = promisify(execFile);

/** The commands of docs/backup.md, in order. */
const commands = await readCommands();

const programs = await findPostgresPrograms();

/** Bound of a restore of this small database, in ms. */
const restoreMs = 60_000;

let directory: string;
let account: { uid?: number; gid?: number };
let port: number;
let restoredPort: number;
let redis: RedisServer;
let emptyRedis: RedisServer;
const running = new Set<string>();

const urlOf = (database: string, at = port) => `postgresql://postgres@127.0.0.1:${at}/${database}`;

beforeAll(async () => {
  if (programs === undefined) return;
  directory = await temporaryDirectory('backup');
  account = await accountOf('postgres');
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(directory, account.uid, account.gid);
  }
  [port, restoredPort, redis, emptyRedis] = await Promise.all([
    freePort(),
    freePort(),
    startRedis(),
    startRedis(),
  ]);
  await shell('initdb --pgdata="$DATA" --username=postgres --auth=trust --encoding=UTF8 --locale=C', {
    DATA: join(directory, 'data'),
  });
  await start('data', port);
  await query(urlOf('postgres'), 'CREATE DATABASE continuity');
  await migrate(urlOf('continuity'));
});

afterAll(async () => {
  for (const name of running) await stop(name, 'immediate');
  await Promise.all([redis?.stop(), emptyRedis?.stop()]);
});

async function readCommands(): Promise<string[]> {
  const page = fileURLToPath(new URL('../../../../docs/backup.md', import.meta.url));
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(/^ {3}```sh\n(.*?)^ {3}```/gms)].map(([, block = '']) =>
    block.replaceAll(/^ {3}/gm, ''),
  );
}

/** PostgreSQL refuses to run as root. */
async function accountOf(name: string): Promise<typeof account> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await execute('id', [flag, name])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Runs commands as the account of PostgreSQL. */
async function shell(script: string, environment: Record<string, string> = {}): Promise<void> {
  const env = { PATH: `${programs}:${process.env['PATH']}`, LC_ALL: 'C', ...environment };
  try {
    await execute('bash', ['--norc', '-euc', script], { ...account, cwd: directory, env });
  } catch (error) {
    const { stdout, stderr } = error as ExecFileException & { stdout: string; stderr: string };
    throw new Error(`${script}\n${stdout}${stderr}`, { cause: error });
  }
}

async function start(name: string, at: number): Promise<void> {
  const DATA = join(directory, name);
  await shell(
    `pg_ctl start --pgdata="$DATA" --log="$DATA.log" --options="-p ${at} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"`,
    { DATA },
  );
  running.add(name);
}

async function stop(name: string, mode: 'fast' | 'immediate'): Promise<void> {
  await shell('pg_ctl stop --pgdata="$DATA" --mode="$MODE"', { DATA: join(directory, name), MODE: mode });
  running.delete(name);
}

/** Runs the commands of the page whose text contains `part`. */
async function follow(part: string, environment: Record<string, string> = {}): Promise<void> {
  const found = commands.filter((command) => command.includes(part));
  expect(found).toHaveLength(1);
  await shell(found.join('\n'), {
    BACKUP: join(directory, 'backup'),
    DATABASE_URL: urlOf('continuity'),
    ...environment,
  });
}

const startOn = (databaseUrl: string, at: RedisServer, workers: boolean) =>
  startService({
    workers,
    environment: { DATABASE_URL: databaseUrl, REDIS_URL: at.url, MEMORY_AUTO_FLUSH: 'off' },
  });

/** Captures a Source and queues its flush, which no worker takes. Returns the job's id. */
async function queueFlush(service: TestService, scope_id: string): Promise<string> {
  await service.call('capture_content_source', {
    body: { scope_id, source_id: 'one', content: 'We use Kafka.' },
  });
  // A worker that sends heartbeats and takes nothing.
  await query(
    service.settings.DATABASE_URL ?? '',
    "INSERT INTO workers (worker_id, queues) VALUES (gen_random_uuid(), '{memory-flush}')",
  );
  const accepted = await waitUntil(async () => {
    const reply = await service.send('POST', '/v1/memory/flush', { scope_id }, { prefer: 'respond-async' });
    return reply.status === 202 && reply;
  });
  return (accepted.json as { job_id: string }).job_id;
}

/** Starts the service on a restored database and an empty Redis, and demands that a queued job of the backup ends. */
async function expectRestored(databaseUrl: string, scope_id: string, jobId: string): Promise<string[]> {
  const service = await startOn(databaseUrl, emptyRedis, true);
  try {
    await waitUntil(async () => {
      const { body } = await service.call('get_job', { params: { job_id: jobId } });
      return body.status === 'succeeded';
    });
    const { body } = await service.call('list_memory_entries', { body: { scope_id } });
    expect(await remember(service, scope_id, 'Written after the restore.')).toBeDefined();
    return body.entries.map(({ text }) => text);
  } finally {
    await service.stop();
  }
}

test.runIf(programs && hasRedis())(
  'a dump is restored into another database, and its queued jobs go on with an empty Redis',
  async () => {
    await mkdir(join(directory, 'backup'));
    if (account.uid !== undefined && account.gid !== undefined) {
      await chown(join(directory, 'backup'), account.uid, account.gid);
    }
    const service = await startOn(urlOf('continuity'), redis, false);
    await remember(service, 'dumped', 'Written before the dump.');
    const jobId = await queueFlush(service, 'dumped');
    const dumpedAt = performance.now();
    await follow('pg_dump');
    await remember(service, 'dumped', 'Written after the dump.');
    await service.stop();
    await query(urlOf('postgres'), 'CREATE DATABASE restored');
    const from = performance.now();
    await follow('pg_restore', { RESTORED_URL: urlOf('restored') });
    const took = performance.now() - from;
    report('dump', took, from - dumpedAt);
    const texts = await expectRestored(urlOf('restored'), 'dumped', jobId);
    expect(texts.toSorted()).toEqual(['We use Kafka.', 'Written before the dump.']);
    expect(took).toBeLessThan(underLoad(restoreMs));
  },
);

test.runIf(programs && hasRedis())(
  'a lost server is restored from its base backup and its archive, up to the last archived segment',
  async () => {
    await follow('ALTER SYSTEM');
    await stop('data', 'fast');
    await start('data', port);
    const service = await startOn(urlOf('continuity'), redis, false);
    await remember(service, 'archived', 'Written before the base backup.');
    await follow('pg_basebackup');
    await remember(service, 'archived', 'Written after the base backup.');
    const jobId = await queueFlush(service, 'archived');
    await archiveLog();
    const recoveryPoint = performance.now();
    await remember(service, 'archived', 'Written after the recovery point.');
    const lostMs = performance.now() - recoveryPoint;
    await stop('data', 'immediate');
    await service.stop();

    const from = performance.now();
    const PGDATA = join(directory, 'restored');
    await follow('recovery.signal', { PGDATA, PGPORT: String(restoredPort) });
    running.add('restored');
    const took = performance.now() - from;
    const texts = await expectRestored(urlOf('continuity', restoredPort), 'archived', jobId);
    expect(texts.toSorted()).toEqual([
      'We use Kafka.',
      'Written after the base backup.',
      'Written before the base backup.',
    ]);
    expect(took).toBeLessThan(underLoad(restoreMs));
    report('base backup and archive', took, lostMs);
  },
);

/** Prints the recovery time, and how much older than the loss the recovery point is. */
const report = (method: string, tookMs: number, lostMs: number) =>
  process.stdout.write(
    `${method}: restored in ${(tookMs / 1_000).toFixed(1)} s, as of ${(lostMs / 1_000).toFixed(1)} s before the loss\n`,
  );

/** Ends the segment of the log, as `archive_timeout` does, and waits until it is archived. */
async function archiveLog(): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('continuity') });
  await client.connect();
  try {
    const { rows } = await client.query<{ segment: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
    );
    await waitUntil(async () => {
      const archived = await client.query<{ last_archived_wal: string | null }>(
        'SELECT last_archived_wal FROM pg_stat_archiver',
      );
      return (archived.rows[0]?.last_archived_wal ?? '') >= (rows[0]?.segment ?? '');
    });
  } finally {
    await client.end();
  }
}
