// A process that takes a lock, and releases it on SIGUSR2. With LOCK `transaction` or `prismaTransaction` it locks the row of a
// tenant in a transaction, with `migration` it takes the lock under which a process migrates the database.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  migrationLock,
  openDatabase,
  openLongSession,
  type Sql,
  statement,
} from '@continuity/kernel/database';

const url = process.env['DATABASE_URL'] ?? '';

const database = openDatabase({
  url,
  size: 2,
  name: 'lock-holder',
  onIdleError: () => undefined,
});
const rename = statement('rename_tenant_and_hold', `UPDATE tenants SET name = 'frozen' WHERE tenant_id = $1`);
const nothing = statement('touch_session', 'SELECT');

/**
 * Listens before it tells, because the test freezes the process at once. Until then `touch` uses the session, whose limit of idle time so
 * begins when the process freezes. A session that has ended fails what comes after.
 */
async function tellAndWait(touch: () => Promise<unknown>): Promise<void> {
  let isReleased = false;
  process.once('SIGUSR2', () => {
    isReleased = true;
  });
  process.stdout.write('locked\n');
  while (!isReleased) {
    await touch().catch(() => undefined);
    await sleep(500);
  }
}

async function holdRow(sql: Sql): Promise<void> {
  await sql.rows(rename, [Number(process.env['TENANT_ID'])]);
  await tellAndWait(() => sql.rows(nothing, []));
}

async function holdMigration(): Promise<void> {
  const client = await openLongSession(url, 'lock-holder');
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  await tellAndWait(() => client.query('SELECT'));
  await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
}

const holders: Record<string, () => Promise<void>> = {
  transaction: () => database.transaction(holdRow),
  prismaTransaction: () => database.prismaTransaction(({ sql }) => holdRow(sql)),
  migration: holdMigration,
};

// After the connection has ended, only this keeps the process alive until the signal.
const alive = setInterval(() => undefined, 1_000);
await holders[process.env['LOCK'] ?? '']?.().then(
  () => process.stdout.write('released\n'),
  () => process.stdout.write('failed\n'),
);
clearInterval(alive);
await database.close();
