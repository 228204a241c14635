import { configureRole, migrate } from '@continuity/kernel/database';
import {
  createDatabase,
  startPgbouncer,
  startPostgres,
  startStandby,
  startTcpProxy,
  waitUntil,
} from '@continuity/testing';
import { expect, test } from 'vitest';
import { expectLostTenantsUnknown, settingsOfLost } from '../support/lost-tenants.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

test('a promoted standby without the last writes: a lost tenant gets the answers of an unknown one', async () => {
  const primary = await startPostgres();
  await migrate(primary.url);
  const standby = await startStandby(primary);
  const proxy = await startTcpProxy(primary.url);
  await standby.cutOff();
  const service = await startService({
    workers: true,
    environment: { ...(await settingsOfLost()), DATABASE_URL: proxy.url },
  });
  try {
    await expectLostTenantsUnknown(service, { DATABASE_URL: standby.url }, async () => {
      await primary.kill();
      // For a while, the address leads to a server that is no primary yet.
      proxy.redirect(standby.url);
      await new Promise((wake) => setTimeout(wake, 1_500));
      await standby.promote();
    });
  } finally {
    await service.stop();
    await Promise.all([proxy.stop(), standby.stop(), primary.stop()]);
  }
}, 600_000);

test('a promoted standby without the last writes of a tenant: each operation answers as if they had never been', async () => {
  const primary = await startPostgres();
  await migrate(primary.url);
  const standby = await startStandby(primary);
  const [one, other] = [new URL(primary.url), new URL(standby.url)];
  const service = await startService({
    workers: true,
    environment: {
      ...(await settingsOfLost()),
      DATABASE_URL: `postgresql://${one.username}:${one.password}@${one.host},${other.host}${one.pathname}`,
    },
  });
  try {
    // The standby knows the tenants with their default Scopes, and nothing that they write from now on.
    const known = async () =>
      (await query(standby.url, "SELECT FROM tenants WHERE name <> 'default'")).length;
    await waitUntil(async () => (await known()) === 2);
    await standby.cutOff();
    await expectLostTenantsUnknown(service, {}, async () => {
      await primary.kill();
      await standby.promote();
    });
  } finally {
    await service.stop();
    await Promise.all([standby.stop(), primary.stop()]);
  }
}, 600_000);

test('a restored base backup: a lost tenant gets the answers of an unknown one', async () => {
  const first = await startPostgres();
  await migrate(first.url);
  const directory = await first.backUp();
  const service = await startService({
    workers: true,
    environment: { ...(await settingsOfLost()), DATABASE_URL: first.url },
  });
  let restored: Awaited<ReturnType<typeof startPostgres>> | undefined;
  try {
    await expectLostTenantsUnknown(service, {}, async () => {
      await first.kill();
      restored = await startPostgres({ directory, port: first.port });
      expect(restored.url).toBe(first.url);
    });
  } finally {
    await service.stop();
    await restored?.stop();
  }
}, 600_000);

const pooler = await startPgbouncer({ maxPreparedStatements: 200, poolSize: 6 });

test.skipIf(pooler === undefined)(
  'a database that is restored behind PgBouncer: a lost tenant gets the answers of an unknown one',
  async () => {
    if (pooler === undefined) return;
    const database = await createDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const admin = Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
    await configureRole(database.url);
    await query(admin, `CREATE DATABASE "${name}_backup" TEMPLATE "${name}"`);
    const urls = { DATABASE_URL: pooler.urlOf(database.url), DATABASE_DIRECT_URL: database.url };
    const service = await startService({
      workers: true,
      environment: { ...(await settingsOfLost()), ...urls },
    });
    try {
      await expectLostTenantsUnknown(service, {}, async () => {
        await query(admin, `DROP DATABASE "${name}" WITH (FORCE)`);
        await query(admin, `CREATE DATABASE "${name}" TEMPLATE "${name}_backup"`);
        await configureRole(database.url);
      });
    } finally {
      await service.stop();
      await pooler.kill();
      await database.drop();
      await query(admin, `DROP DATABASE "${name}_backup"`);
    }
  },
  180_000,
);
