import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, PerEpoch, type TenantId } from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import { runAsTenant, runInEpoch } from '@continuity/kernel/fairness';
import {
  type PostgresServer,
  startPostgres,
  startStandby,
  startTcpProxy,
  type TcpProxy,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let primary: PostgresServer;
let other: PostgresServer;
let proxy: TcpProxy;
const open: Database[] = [];

beforeAll(async () => {
  [primary, other] = await Promise.all([
    startPostgres({ durable: false }),
    startPostgres({ durable: false }),
  ]);
  proxy = await startTcpProxy(primary.url);
});

afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  proxy.redirect(primary.url);
});

afterAll(async () => {
  await proxy.stop();
  await Promise.all([primary.stop(), other.stop()]);
});

/** `watchesServer: false` leaves the change to be noticed by new connections alone. */
function openThrough(options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database {
  const database = openDatabase({
    url: proxy.url,
    size: 4,
    name: 'epochs',
    onIdleError: () => undefined,
    ...options,
  });
  open.push(database);
  return database;
}

const serverOf = async ({ pool }: Database) =>
  Number((await pool.query<{ port: string }>("SELECT current_setting('port') AS port")).rows[0]?.port);

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => fromDatabaseError(error)?.code,
  );

test('work whose ids are of another server is refused, on each way to the database, and later work is not', async () => {
  const database = openThrough();
  const epoch = database.epochs.current;
  await runInEpoch(epoch, async () => expect(await serverOf(database)).toBe(primary.port));
  proxy.redirect(other.url);
  proxy.reset();
  const works = () => [
    database.pool.query('SELECT 1'),
    database.transaction(async () => undefined),
    database.snapshot(async () => undefined),
    database.prismaTransaction(async () => undefined),
    database.prisma.$queryRaw`SELECT 1`,
  ];
  // The broken connections end while the first of them fail.
  await waitUntil(() =>
    serverOf(database).then(
      (port) => port === other.port,
      () => false,
    ),
  );
  expect(epoch.isCurrent).toBe(false);
  expect(new Set(await runInEpoch(epoch, () => Promise.all(works().map(refusal))))).toEqual(
    new Set(['database_unavailable']),
  );
  const asTenant = runAsTenant(1 as TenantId, () => Promise.all(works().map(refusal)), epoch);
  expect(new Set(await asTenant)).toEqual(new Set(['database_unavailable']));
  const { current } = database.epochs;
  expect(new Set(await runInEpoch(current, () => Promise.all(works().map(refusal))))).toEqual(
    new Set(['done']),
  );
  // Refused work gives its connections back.
  expect(new Set(await Promise.all(works().map(refusal)))).toEqual(new Set(['done']));
});

test('open connections to the server before are closed when a new one leads elsewhere', async () => {
  const database = openThrough();
  await Promise.all([serverOf(database), serverOf(database)]);
  const held = await database.pool.connect();
  held.on('error', () => undefined);
  proxy.redirect(other.url);
  // Idle connections serve first: so many at once need a new one.
  await Promise.allSettled(Array.from({ length: 4 }, () => database.pool.query('SELECT pg_sleep(0.1)')));
  await waitUntil(async () => (await serverOf(database)) === other.port);
  expect(await refusal(held.query('SELECT 1'))).toBe('database_unavailable');
  held.release(true);
});

test('a restart of the same server, and a restore into the same database, begin an epoch', async () => {
  const database = openThrough({ watchesServer: true });
  await serverOf(database);
  const before = database.epochs.current;
  await primary.kill();
  await primary.start();
  await waitUntil(() =>
    serverOf(database).then(
      () => true,
      () => false,
    ),
  );
  await waitUntil(() => !before.isCurrent);
  await database.pool.query('CREATE TABLE tenants ()');
  await waitUntil(() => database.epochs.identity?.split(' ').length === 4);
  const { current } = database.epochs;
  await sleep(1_200);
  expect(current.isCurrent).toBe(true);
  await database.pool.query('DROP TABLE tenants; CREATE TABLE tenants ()');
  await waitUntil(() => !current.isCurrent);
  await database.pool.query('DROP TABLE tenants');
});

test('sessions that the server ends begin an epoch, and a slow answer begins none', async () => {
  const database = openThrough({ watchesServer: true });
  await waitUntil(() => database.epochs.identity !== undefined);
  const before = database.epochs.current;
  proxy.freeze();
  await sleep(2_500);
  proxy.resume();
  await serverOf(database);
  await sleep(1_000);
  expect(before.isCurrent).toBe(true);
  proxy.reset();
  await waitUntil(() => !before.isCurrent);
});

test('a standby gets no work, and work goes on after its promotion', async () => {
  const standby = await startStandby(primary);
  proxy.redirect(standby.url);
  const database = openThrough({ watchesServer: true });
  expect(await refusal(serverOf(database))).toBe('database_unavailable');
  await standby.promote();
  await waitUntil(() =>
    serverOf(database).then(
      (port) => port === standby.port,
      () => false,
    ),
  );
  await standby.stop();
});

test('behind a pooler, the direct connection tells of the change', async () => {
  // A proxy stands for the pooler: it leads to the same server, and its sessions outlive the change.
  const database = openThrough({ directUrl: other.url, watchesServer: true });
  await waitUntil(() => database.epochs.identity !== undefined);
  const epoch = database.epochs.current;
  expect(await refusal(runInEpoch(epoch, () => serverOf(database)))).toBe('done');
  const client = new pg.Client({ connectionString: other.url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'continuity-watch'",
  );
  await client.end();
  await waitUntil(() => !epoch.isCurrent);
  expect(await refusal(runInEpoch(epoch, () => serverOf(database)))).toBe('database_unavailable');
  expect(await refusal(serverOf(database))).toBe('done');
});

test('a value of an epoch is made anew in the next one, and a look-up of the ended one does not fill it', async () => {
  const { epochs } = openThrough();
  const names = new PerEpoch(epochs, () => new Map<number, string>());
  const before = names.current;
  before.set(1, 'one');
  expect(names.current.get(1)).toBe('one');
  epochs.begin();
  before.set(2, 'late');
  expect([...names.current]).toEqual([]);
});
