import { join } from 'node:path';
import { migrate, previousReleaseCommit } from '@continuity/kernel/database';
import {
  type Client,
  checkOutRelease,
  clientFor,
  createDatabase,
  hasRedis,
  type RunningProcess,
  redisFor,
  runProcess,
  type TestDatabase,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRows } from '../fuzz/model/rows.ts';
import { documentCalls, experience } from '../support/documents.ts';
import { generationCalls, retro, sourceOf } from '../support/generation.ts';
import { remember } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const previous = await checkOutRelease(previousReleaseCommit);

/** Limit of the start of a process, and of the first run of its code. */
const startMs = 180_000;

let database: TestDatabase;
let environment: Record<string, string>;
let oldGateway: RunningProcess;
let oldWorker: RunningProcess;
let old: Client;
let today: TestService | undefined;
const scopes: string[] = [];

/** Starts a program of the previous release. */
const runPrevious = (program: string, own: Record<string, string> = {}) =>
  runProcess([join(previous ?? '', program)], { ...environment, ...own });

beforeAll(async () => {
  if (previous === undefined) return;
  database = await createDatabase();
  await query(database.url, 'DROP SCHEMA public CASCADE');
  await query(database.url, 'CREATE SCHEMA public');
  const redis = redisFor();
  environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    QUEUE_PREFIX: redis.prefix,
    MEMORY_AUTO_FLUSH: 'off',
  };
  const migration = runPrevious('services/api/src/migrate.ts');
  expect(await migration.exited).toEqual({ code: 0, signal: null });
  oldWorker = runPrevious('services/workers/src/main.ts');
  oldGateway = runPrevious('services/api/src/main.ts', { PORT: '0' });
  const { url } = JSON.parse(await oldGateway.waitForLine('the gateway listens', startMs)) as { url: string };
  old = clientFor(url);
  await oldWorker.waitForLine('consume', startMs);
  await waitUntilReady(old);
});

afterAll(async () => {
  await oldWorker?.[Symbol.asyncDispose]();
  await oldGateway?.[Symbol.asyncDispose]();
  await today?.stop();
  await database?.drop();
});

const waitUntilReady = (client: Client) =>
  waitUntil(
    async () => {
      const reply = await client.send('GET', '/health/ready');
      const { checks } = reply.json as { checks: Record<string, string> };
      const needed = ['runtime', 'database', 'queue', 'worker.memory-flush', 'worker.candidate-generation'];
      return needed.every((name) => checks[name] === 'ready');
    },
    { timeoutMs: startMs },
  );

/** A turn of an agent, written by one release and read by another one: each kind of write, and work of each kind of worker. */
async function work(scope_id: string, writer: Client, reader: Client): Promise<void> {
  scopes.push(scope_id);
  await remember(writer, scope_id, 'Carts expire after an hour.');
  await writer.call('capture_content_source', {
    body: { scope_id, source_id: 'turn', content: 'We use Kafka for events.' },
  });
  const flushed = await writer.call('flush_memory', { body: { scope_id } });
  expect(flushed.body).toMatchObject({ status: 'processed', processed_source_count: 1 });
  const { body: created } = await documentCalls(writer).createExperience(scope_id);
  await writer.call('capture_content_source', { body: { scope_id, source_id: 'retro', content: retro } });
  const { body: generated } = await generationCalls(writer).experience(scope_id, [sourceOf('retro')]);
  const { body: proposed } = await reviewCalls(writer).propose(
    scope_id,
    { source_refs: [sourceOf('turn')] },
    experience({ lesson: 'Name topics by team.' }),
  );

  const { body: listed } = await reader.call('list_memory_entries', { body: { scope_id } });
  expect(listed.entries.map(({ text }) => text).toSorted()).toEqual([
    'Carts expire after an hour.',
    'We use Kafka for events.',
  ]);
  const { body: found } = await reader.call('search_memory', { body: { scope_id, query: 'carts' } });
  expect(found.hits.map(({ text }) => text)).toEqual(['Carts expire after an hour.']);
  const [citation] = found.hits.map((hit) => hit.citation);
  if (citation === undefined) throw new Error('The search has no hit.');
  const { body: revised } = await reader.call('revise_memory_entry', {
    body: {
      scope_id,
      citation,
      kind: 'decision',
      text: 'Carts expire after two hours.',
    },
  });
  expect(revised.entry?.text).toBe('Carts expire after two hours.');
  const head = await documentCalls(reader).head(scope_id, 'experience', created.artifact_id);
  const etag = head.headers.get('etag') ?? '';
  const replaced = await documentCalls(reader).replaceExperience(
    scope_id,
    created.artifact_id,
    etag,
    experience({ lesson: 'Go on.' }),
  );
  expect(replaced.body).toMatchObject({ revision: 2 });
  expect(generated).toMatchObject({ status: 'pending' });
  const approved = await reviewCalls(reader).approve(scope_id, proposed.candidate_id);
  expect(approved.body).toMatchObject({ status: 'approved' });
  const { body: context } = await reader.call('prepare_context', { body: { scope_id, query: 'carts' } });
  expect(JSON.stringify(context)).toContain('two hours');
}

interface Writing {
  /** Writes until now. */
  count(): number;
  /** Resolves with the number of writes. */
  stop(): Promise<number>;
}

/** Locks all tables as `pg_dump` does. The returned function ends it. */
async function readAll(): Promise<() => Promise<void>> {
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query('BEGIN');
  const { rows } = await reader.query<{ tables: string }>(
    `SELECT string_agg(oid::regclass::text, ', ') AS tables FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  await reader.query(`LOCK TABLE ${rows[0]?.tables} IN ACCESS SHARE MODE`);
  return () => reader.end();
}

/** Resolves while a migration waits for the lock of a table. */
const waitForMigration = () =>
  waitUntil(
    async () => {
      const waiting = await query(
        database.url,
        `SELECT FROM pg_stat_activity WHERE application_name = 'continuity-migrate' AND datname = current_database()
           AND wait_event_type = 'Lock' AND wait_event = 'relation'`,
      );
      return waiting.length > 0;
    },
    { intervalMs: 20 },
  );

/** Writes through a gateway until `stop`. All writes must succeed. */
function writeSteadily(client: Client, scope_id: string): Writing {
  scopes.push(scope_id);
  let isStopped = false;
  let written = 0;
  const writing = (async () => {
    for (; !isStopped; written += 1) {
      await client.call('remember_memory', { body: { scope_id, kind: 'fact', text: `Fact ${written}.` } });
      const source = { scope_id, source_id: `${written}`, content: `We use Kafka for ${written}.` };
      expect((await client.call('capture_content_source', { body: source })).status).toBe(202);
      expect((await client.call('flush_memory', { body: { scope_id } })).body.status).toBe('processed');
    }
    return written;
  })();
  writing.catch(() => undefined);
  return {
    count: () => written,
    stop: async () => {
      isStopped = true;
      return await writing;
    },
  };
}

test.runIf(previous && hasRedis())(
  'the previous release goes on while its database is migrated, and beside this release',
  async () => {
    await work('before', old, old);
    await remember(old, 'before', 'The parser of Mira reads C++ alone.');
    const steady = writeSteadily(old, 'steady');
    // Two processes may migrate at once, also during a backup.
    const endBackup = await readAll();
    const migrations = Promise.all([migrate(database.url), migrate(database.url)]);
    await waitForMigration();
    const before = steady.count();
    await waitUntil(async () => steady.count() > before + 3);
    await endBackup();
    const [one, other] = await migrations;
    expect(one.length + other.length).toBeGreaterThan(0);
    expect(Math.min(one.length, other.length)).toBe(0);
    await work('migrated', old, old);

    today = await startService({ environment, workers: false });
    await work('old-then-new', old, today);
    await work('new-then-old', today, old);
    await work('before-2', today, today);

    // The workers of this release take over: a gateway of the previous one goes on with them.
    await today.stop();
    today = await startService({ environment, workers: true });
    oldWorker.kill('SIGTERM');
    expect(await oldWorker.exited).toEqual({ code: 0, signal: null });
    await work('new-workers', old, today);
    // Search of this release has a key of its own for C++, which the previous one did not store.
    await waitUntil(async () => {
      const found = await today?.call('search_memory', { body: { scope_id: 'before', query: 'C++' } });
      return found?.body.hits.some(({ text }) => text.includes('C++')) ?? false;
    });
    const written = await steady.stop();
    expect(written).toBeGreaterThan(0);
    const { body } = await today.call('list_memory_entries', { body: { scope_id: 'steady' } });
    expect(new Set(body.entries.map(({ text }) => text)).size).toBe(2 * written);
    expect(body.entries).toHaveLength(2 * written);

    oldGateway.kill('SIGTERM');
    expect(await oldGateway.exited).toEqual({ code: 0, signal: null });
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await checkRows(pool, scopes).finally(() => pool.end());
  },
);
