import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@continuity/kernel/database';
import pg from 'pg';
import type { MoveSession } from './session.ts';
import { keySql, type TenantTable, tableSql } from './tenant-tables.ts';

/**
 * Limits of the wait for the lock of a table, during which its other writers wait too. A vacuum gives way to those who wait for longer than
 * `deadlock_timeout`, which is 1 s.
 */
const shortWait = '300ms';
const longWait = '2s';

/** Attempts with the short wait, limit of all attempts, and the pause between two in milliseconds. */
const shortAttempts = 5;
const maxAttempts = 40;
const retryMs = 250;

/** The triggers of a tenant: an inserted or updated row has no old row, and a deleted one no new row, to compare the tenant with. */
const kinds = [
  { suffix: 'write', event: 'INSERT OR UPDATE', row: 'NEW' },
  { suffix: 'delete', event: 'DELETE', row: 'OLD' },
];

/**
 * Creates the triggers of a tenant on all tables: they list its changes, or refuse them, by its row in `tenant_moves`. The lock of each table
 * waits for the transactions that have written to it, so each later change is listed. Repeatable.
 */
export async function createFence(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<void> {
  const known = await readTriggers(session, tenantId);
  for (const table of tables) {
    const key = pg.escapeLiteral(keySql(table, '$1'));
    const missing = kinds.filter(({ suffix }) => !known.has(`${table.name} ${nameOf(tenantId, suffix)}`));
    const statements = missing.map(
      ({ suffix, event, row }) =>
        `CREATE TRIGGER ${nameOf(tenantId, suffix)} BEFORE ${event} ON ${tableSql(table)}
         FOR EACH ROW WHEN (${row}.tenant_id = ${Number(tenantId)})
         EXECUTE FUNCTION follow_tenant_move(${key}, ${pg.escapeLiteral(table.name)})`,
    );
    await changeTable(session, statements);
  }
}

/** Whether every table has the triggers of the tenant, also one that a migration has created meanwhile. */
export async function isFenced(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<boolean> {
  const known = await readTriggers(session, tenantId);
  return tables.every(({ name }) =>
    kinds.every(({ suffix }) => known.has(`${name} ${nameOf(tenantId, suffix)}`)),
  );
}

/** Drops the triggers of a tenant. Repeatable. */
export async function dropFence(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<void> {
  const known = await readTriggers(session, tenantId);
  for (const table of tables) {
    const names = kinds.map(({ suffix }) => nameOf(tenantId, suffix));
    const own = names.filter((trigger) => known.has(`${table.name} ${trigger}`));
    await changeTable(
      session,
      own.map((trigger) => `DROP TRIGGER IF EXISTS ${trigger} ON ${tableSql(table)}`),
    );
  }
}

function nameOf(tenantId: TenantId, suffix: string): string {
  return `tenant_move_${Number(tenantId)}_${suffix}`;
}

async function readTriggers(session: MoveSession, tenantId: TenantId): Promise<Set<string>> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT c.relname || ' ' || t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = ANY($1) AND NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace`,
    [kinds.map(({ suffix }) => nameOf(tenantId, suffix))],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Changes a table that is in use: writers of all tenants wait while this waits for a lock, so it gives up soon, and tries again. */
async function changeTable(session: MoveSession, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  for (let attempt = 1; ; attempt += 1) {
    const limit = attempt <= shortAttempts ? shortWait : longWait;
    try {
      // One round trip, so that the lock is held for no longer than the statements take.
      await session.query(`BEGIN; SET LOCAL lock_timeout = '${limit}'; ${statements.join('; ')}; COMMIT`);
      return;
    } catch (error) {
      await session.query('ROLLBACK').catch(() => undefined);
      const { code } = error as { code?: string };
      // The lock was not free in time, or a deadlock.
      if (attempt === maxAttempts || (code !== '55P03' && code !== '40P01')) throw error;
      await sleep(retryMs);
    }
  }
}
