import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@continuity/kernel/database';
import pg from 'pg';
import { MoveRefusedError } from './refused-error.ts';
import { changeAtOnce, type MoveSession } from './session.ts';
import { keySql, readTenantTables, type TenantTable, tableSql } from './tenant-tables.ts';

/**
 * Limits of the wait for the lock of a table. While a transaction holds the table and this one waits, all later transactions of all tenants
 * wait too: writers at a creation, and readers at a drop. A vacuum gives way to a creation that waits for longer than `deadlock_timeout`, 1 s.
 */
const dropWait = '100ms';
const createWait = '300ms';
const vacuumWait = '1500ms';

/** Every so many rounds, a creation waits until a vacuum gives way. */
const vacuumRounds = 5;

/** Limits of the rounds over the tables that were in use, and the pause between two rounds in milliseconds. */
const createRounds = 40;
const dropRounds = 8;
const pauseMs = 2_000;

/** The triggers of a tenant: an inserted or updated row has no old row, and a deleted one no new row, to compare the tenant with. */
const kinds = [
  { suffix: 'write', event: 'INSERT OR UPDATE', row: 'NEW' },
  { suffix: 'delete', event: 'DELETE', row: 'OLD' },
];

/**
 * Creates the triggers of a tenant on all tables: they list its changes, or refuse them, by its row in `tenant_moves`. The lock of each table
 * waits for the transactions that have written to it, so each later change is listed. Repeatable. Throws a `MoveRefusedError` if a table
 * is in use for too long.
 */
export async function createFence(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<void> {
  const known = await readTriggers(session, tenantId);
  const changes = tables.map((table) => ({
    table: table.name,
    statements: kinds
      .filter(({ suffix }) => known.get(`${table.name} ${nameOf(tenantId, suffix)}`) !== argumentsOf(table))
      .map(
        ({ suffix, event, row }) =>
          `CREATE OR REPLACE TRIGGER ${nameOf(tenantId, suffix)} BEFORE ${event} ON ${tableSql(table)}
           FOR EACH ROW WHEN (${row}.tenant_id = ${Number(tenantId)})
           EXECUTE FUNCTION follow_tenant_move(${pg.escapeLiteral(keySql(table, '$1'))}, ${pg.escapeLiteral(table.name)})`,
      ),
  }));
  const inUse = await changeTables(session, changes, createRounds, (round) =>
    round % vacuumRounds === 0 ? vacuumWait : createWait,
  );
  if (inUse.length > 0)
    throw new MoveRefusedError(
      `Long transactions, or an index build, use the tables ${inUse.join(', ')}. Repeat the command when they have ended.`,
    );
}

/** Whether every table has the triggers of the tenant, also one that a migration has created or changed meanwhile. */
export async function isFenced(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<boolean> {
  const known = await readTriggers(session, tenantId);
  return tables.every((table) =>
    kinds.every(
      ({ suffix }) => known.get(`${table.name} ${nameOf(tenantId, suffix)}`) === argumentsOf(table),
    ),
  );
}

/**
 * Drops the triggers of a tenant that they do not concern any more. Repeatable. Returns the names of the tables that were in use all the time,
 * so that their triggers stay. Without a row of the tenant in `tenant_moves`, a trigger does nothing.
 */
export async function dropFence(
  session: MoveSession,
  tenantId: TenantId,
  tables: readonly TenantTable[],
): Promise<string[]> {
  const known = await readTriggers(session, tenantId);
  const names = kinds.map(({ suffix }) => nameOf(tenantId, suffix));
  const changes = tables.map((table) => ({
    table: table.name,
    statements: names
      .filter((trigger) => known.has(`${table.name} ${trigger}`))
      .map((trigger) => `DROP TRIGGER IF EXISTS ${trigger} ON ${tableSql(table)}`),
  }));
  return await changeTables(session, changes, dropRounds, () => dropWait);
}

/**
 * Drops the triggers that earlier runs have left on tables in use: those of tenants that work on the server, or whose rows are deleted.
 * Returns the names of the tables that are still in use.
 *
 * @param lock called before the drop: false if another run moves the tenant
 */
export async function dropIdleFences(
  session: MoveSession,
  lock: (tenantId: TenantId) => Promise<boolean>,
): Promise<string[]> {
  const inUse = new Set<string>();
  for (const tenantId of await readIdleTenants(session)) {
    if (!(await lock(tenantId))) continue;
    // A move may have begun before the lock.
    if (!(await readIdleTenants(session)).includes(tenantId)) continue;
    for (const table of await dropFence(session, tenantId, await readTenantTables(session))) inUse.add(table);
  }
  return [...inUse];
}

async function readIdleTenants(session: MoveSession): Promise<TenantId[]> {
  const { rows } = await session.query<{ tenantId: TenantId }>(
    `SELECT DISTINCT fenced.id AS "tenantId"
     FROM (SELECT substring(tgname::text FROM '^tenant_move_([0-9]+)_')::integer AS id FROM pg_trigger WHERE NOT tgisinternal) fenced
     WHERE fenced.id IS NOT NULL
       AND NOT EXISTS (SELECT FROM tenant_moves m WHERE m.tenant_id = fenced.id AND m.deleted_at IS NULL)`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

function nameOf(tenantId: TenantId, suffix: string): string {
  return `tenant_move_${Number(tenantId)}_${suffix}`;
}

/** The arguments of a trigger as the catalog has them. A migration may have changed the key since the trigger was created. */
function argumentsOf(table: TenantTable): string {
  return [keySql(table, '$1'), table.name].map((one) => `${one}\\000`).join('');
}

/** Reads the triggers of a tenant: their arguments by "table trigger". */
async function readTriggers(session: MoveSession, tenantId: TenantId): Promise<Map<string, string>> {
  const { rows } = await session.query<{ name: string; arguments: string }>(
    `SELECT c.relname || ' ' || t.tgname AS name, encode(t.tgargs, 'escape') AS arguments
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = ANY($1) AND NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace`,
    [kinds.map(({ suffix }) => nameOf(tenantId, suffix))],
  );
  return new Map(rows.map((row) => [row.name, row.arguments]));
}

/** Changes tables that are in use. Returns the names of those that were in use in each round. */
async function changeTables(
  session: MoveSession,
  changes: readonly { table: string; statements: readonly string[] }[],
  rounds: number,
  waitIn: (round: number) => string,
): Promise<string[]> {
  let rest = changes.filter(({ statements }) => statements.length > 0);
  for (let round = 1; rest.length > 0; round += 1) {
    const inUse: typeof rest = [];
    for (const change of rest)
      if (!(await changeAtOnce(session, waitIn(round), change.statements))) inUse.push(change);
    rest = inUse;
    if (round === rounds) break;
    if (rest.length > 0) await sleep(pauseMs);
  }
  return rest.map(({ table }) => table);
}
