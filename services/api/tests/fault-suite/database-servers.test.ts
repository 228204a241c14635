import { claimServer, migrate } from '@continuity/kernel/database';
import {
  clientFor,
  freePort,
  type PostgresServer,
  type Standby,
  startPostgres,
  startRedis,
  startStandby,
  temporaryDirectory,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeServersFile } from '../support/servers.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { ProcessPart } from './process-part.ts';
import { sharedScope, startTenantLoad, TenantLedger } from './tenant-load.ts';

/** Tenants of server `a`, which has the faults, and of server `b`. The backup that is restored does not know the late ones. */
const ofFaulty = ['alpha', 'gamma'];
const ofOther = ['beta', 'delta'];
const late = 'late';
const afterRestore = 'newcomer';
const all = [...ofFaulty, ...ofOther, late, afterRestore];

/** Longer than the time after which a gateway refuses the requests of a server that hangs. */
const frozenMs = 6_500;
const recoveryMs = 15_000;
const startMs = 180_000;
const endMs = 60_000;

const opened = new AsyncDisposableStack();
const ledger = new TenantLedger();
const loads: { stop(): Promise<void> }[] = [];
let url: string;
let b: PostgresServer;
/** The two addresses of server `a`, and which of them is the primary. */
let first: PostgresServer;
let second: Standby;
let primary: PostgresServer;
/** Writes that the restored backup does not have. */
const lost = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

beforeAll(async () => {
  const redis = await startRedis();
  opened.defer(() => redis.stop());
  // Durable, because a commit waits for the standby only with `synchronous_commit`.
  [first, b] = await Promise.all([startPostgres(), startPostgres({ durable: false })]);
  opened.defer(async () => void (await Promise.allSettled([first.stop(), second.stop(), b.stop()])));
  await Promise.all([migrate(first.url), migrate(b.url)]);
  await claimServer(first.url, { name: 'a', directory: 'a' });
  await claimServer(b.url, { name: 'b', directory: 'a' });
  primary = first;
  second = await startStandby(first);
  const { username, password, host, pathname } = new URL(first.url);
  const both = `postgresql://${username}:${password}@${host},${new URL(second.url).host}${pathname}`;
  const environment = {
    LOG_LEVEL: 'info',
    DATABASE_SERVERS_FILE: await writeServersFile([
      {
        name: 'a',
        url: `${both}?target_session_attrs=read-write`,
        tenants: [...ofFaulty, late, afterRestore],
      },
      { name: 'b', url: b.url, tenants: ofOther },
    ]),
    AUTH_TOKENS_FILE: await writeTokens(...all),
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redis.url,
    MEMORY_AUTO_FLUSH: 'off',
    EMBEDDER: 'off',
    DATABASE_URL: '',
  };
  url = await startProcesses(environment);
  loads.push(startTenantLoad(url, [...ofFaulty, ...ofOther], ledger));
  await expectServed(0);
}, startMs);

afterAll(async () => {
  await Promise.all(loads.map((load) => load.stop()));
  await opened.disposeAsync();
}, endMs);

/** Starts a gateway and a worker of all queues, and waits until the gateway counts the worker. */
async function startProcesses(environment: Record<string, string>): Promise<string> {
  const directory = await temporaryDirectory('fault-servers');
  const port = await freePort();
  const gateway = { name: 'gateway', program: 'dist/api.mjs', readyLine: 'the gateway listens' };
  const worker = { name: 'worker', program: 'dist/workers.mjs', readyLine: 'consume' };
  const parts = [
    new ProcessPart({ ...gateway, environment: { ...environment, PORT: String(port) }, directory }),
    new ProcessPart({ ...worker, environment, directory }),
  ];
  opened.defer(async () => void (await Promise.all(parts.map((part) => part.kill()))));
  await Promise.all(parts.map((part) => part.start()));
  const started = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    const { checks } = (await clientFor(started).call('get_readiness')).body;
    return checks['runtime'] === 'ready' && checks['worker.memory-flush'] === 'ready';
  };
  await waitUntil(isReady, { timeoutMs: startMs, what: 'a ready gateway' });
  return started;
}

/** Waits until each tenant has had a success of each kind of request after `since`. */
async function expectServed(since: number, tenants: readonly string[] = [...ofFaulty, ...ofOther]) {
  const unserved = () => ledger.unservedSince(since, tenants);
  await waitUntil(() => unserved().length === 0, {
    timeoutMs: underLoad(recoveryMs),
    what: 'a success of each kind of request',
  }).catch((error: unknown) => {
    throw new Error(`No success of ${unserved().join(', ')}.`, { cause: error });
  });
}

const databaseCheck = async () =>
  (await clientFor(url).call('get_readiness')).body.checks['database.a' as 'database'];

/** What is wrong with the stored writes: a lost or doubled one, or one that another tenant has. */
async function findFaults(): Promise<string[]> {
  const stored = (
    await Promise.all(
      [primary.url, b.url].map((one) =>
        query<{ tenant: string; text: string }>(
          one,
          'SELECT t.name AS tenant, v.text FROM memory_versions v JOIN tenants t USING (tenant_id)',
        ),
      ),
    )
  ).flat();
  const counts = new Map<string, number>();
  for (const { text } of stored) counts.set(text, (counts.get(text) ?? 0) + 1);
  const foreign = stored
    .filter(({ tenant, text }) => !text.includes(` ${tenant}`))
    .map(({ tenant, text }) => `${tenant} has "${text}"`);
  const wrong = ledger.writes.flatMap(({ tenant, kind, text, after, answeredAt }) => {
    const times = counts.get(text) ?? 0;
    const isOld = answeredAt !== undefined && answeredAt >= lost.from && answeredAt <= lost.to;
    const mayBeLost = answeredAt === undefined || (isOld && !ofOther.includes(tenant));
    return times > 1 || (times === 0 && !mayBeLost)
      ? [`${kind} "${text}", sent after "${after}", is there ${times} times`]
      : [];
  });
  return [...foreign, ...wrong, ...ledger.foreign, ...ledger.surprises];
}

test('a crashed primary and a promoted standby', async () => {
  ledger.fault = 'a crashed primary and a promoted standby';
  await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(primary.url, 'SELECT pg_reload_conf()');
  await waitUntil(
    async () =>
      (await query(primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0,
  );
  await expectServed(performance.now());
  await primary.kill();
  await second.promote();
  primary = second;
  await expectServed(performance.now());
});

test('a primary that becomes a standby', async () => {
  ledger.fault = 'a primary that becomes a standby';
  const successor = await startStandby(second, { port: first.port });
  first = successor;
  // An orderly stop sends the whole log to the standby.
  await second.stop();
  await second.follow(successor);
  await waitUntil(async () => (await databaseCheck()) === 'read_only');
  await successor.promote();
  primary = successor;
  await expectServed(performance.now());
  expect(await query(second.url, 'SELECT WHERE pg_is_in_recovery()')).toHaveLength(1);
});

test('a primary that hangs', async () => {
  ledger.fault = 'a primary that hangs';
  await primary.freeze();
  await new Promise((wake) => setTimeout(wake, frozenMs));
  await primary.wake();
  await expectServed(performance.now());
});

test('a primary that is restored from a backup, which lacks the last writes and a tenant', async () => {
  ledger.fault = 'a primary that is restored from a backup, which lacks the last writes and a tenant';
  lost.from = performance.now();
  const directory = await primary.backUp();
  const begun = performance.now();
  loads.push(startTenantLoad(url, [late], ledger));
  await expectServed(begun, [...ofFaulty, late]);
  await Promise.all([primary.kill(), second.stop()]);
  lost.to = performance.now();
  const restored = await startPostgres({ directory, port: first.port });
  first = restored;
  primary = restored;
  loads.push(startTenantLoad(url, [afterRestore], ledger));
  await expectServed(performance.now(), all);
});

test('0 writes are lost, 0 are doubled, and no tenant has read or got what another one wrote', async () => {
  await Promise.all(loads.map((load) => load.stop()));
  for (const tenant of all)
    await waitUntil(
      async () =>
        (await clientOf(url, tenant).call('flush_memory', { body: { scope_id: sharedScope } })).status ===
        200,
      { timeoutMs: underLoad(endMs), what: `the last flush of ${tenant}` },
    );
  const answered = ledger.writes.filter(({ answeredAt }) => answeredAt !== undefined).length;
  process.stdout.write(
    `${ledger.writes.length} writes of ${all.length} tenants, ${answered} of them answered\n`,
  );
  expect(await findFaults()).toEqual([]);
});

test('the tenants of the other server were refused nothing', () => {
  for (const tenant of ofOther) expect(ledger.refusals.get(tenant) ?? []).toEqual([]);
  for (const tenant of ofFaulty) expect(ledger.refusals.get(tenant)?.length).toBeGreaterThan(0);
});
