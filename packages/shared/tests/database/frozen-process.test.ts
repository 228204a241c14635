import { migrate, openDatabase, pick, statement, tables } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase, runProcess, underLoad } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 4, name: 'waiting', onIdleError: () => undefined });

afterAll(async () => {
  await database.close();
  await source.drop();
});

const rename = statement(
  'rename_tenant',
  'UPDATE tenants SET name = $2 WHERE tenant_id = $1 RETURNING name',
  pick(tables.tenants, 'name'),
);
const readName = statement(
  'read_tenant_name',
  'SELECT name FROM tenants WHERE tenant_id = $1',
  pick(tables.tenants, 'name'),
);

test.concurrent.each(['transaction', 'prismaTransaction'])(
  'a writer continues within 10 s while a frozen process holds the row in its %s',
  async (kind) => {
    const tenantId = await ensureTenant(database, `tenant of ${kind}`);
    await using frozen = runProcess(['packages/shared/tests/database/lock-holder.ts'], {
      DATABASE_URL: source.url,
      TENANT_ID: String(tenantId),
      LOCK: kind,
    });
    await frozen.waitForLine('locked');
    const from = performance.now();
    frozen.kill('SIGSTOP');

    const name = `new name after ${kind}`;
    expect(await database.transaction((sql) => sql.rows(rename, [tenantId, name]))).toEqual([{ name }]);
    const waitedMs = performance.now() - from;
    expect(waitedMs).toBeGreaterThan(1_000);
    expect(waitedMs).toBeLessThan(underLoad(10_000));

    // The process that wakes up has lost its transaction: it changes nothing, and learns that.
    frozen.kill('SIGCONT');
    frozen.kill('SIGUSR2');
    await frozen.waitForLine('failed');
    expect(await database.sql.rows(readName, [tenantId])).toEqual([{ name }]);
  },
);

test.concurrent('a starting process migrates within 10 s while a frozen one holds the lock of migrations', async () => {
  await using frozen = runProcess(['packages/shared/tests/database/lock-holder.ts'], {
    DATABASE_URL: source.url,
    LOCK: 'migration',
  });
  await frozen.waitForLine('locked');
  const from = performance.now();
  frozen.kill('SIGSTOP');

  await migrate(source.url);
  const waitedMs = performance.now() - from;
  expect(waitedMs).toBeGreaterThan(1_000);
  expect(waitedMs).toBeLessThan(underLoad(10_000));

  frozen.kill('SIGCONT');
  frozen.kill('SIGUSR2');
  await frozen.waitForLine('failed');
});
