import type { Database } from '@continuity/kernel/database';
import { waitUntil } from '@continuity/testing';
import type pg from 'pg';

/** Reads of all tables: blocks of tables and indexes, and rows of sequential scans. */
export interface Reads {
  blocks: number;
  scannedRows: number;
}

/**
 * Average reads of one run of `operation`, by the counters of PostgreSQL. Each pool must have one connection only: a session
 * publishes its counters on request.
 */
export async function readsOf(
  database: Database,
  runs: number,
  operation: (run: number) => Promise<unknown>,
): Promise<Reads> {
  const before = await countReads(database);
  for (let run = 0; run < runs; run += 1) await operation(run);
  const after = await countReads(database);
  return {
    blocks: (after.blocks - before.blocks) / runs,
    scannedRows: (after.scannedRows - before.scannedRows) / runs,
  };
}

/**
 * Waits until no other session of the database has a snapshot. Until then, PostgreSQL keeps the rows that were deleted since that
 * snapshot, and reads them again and again. Autovacuum analyzes the catalog even if it is kept away from all tables.
 */
export async function waitForOtherSnapshots(pool: pg.Pool): Promise<void> {
  await waitUntil(async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL`,
    );
    return rowCount === 0;
  });
}

/**
 * Keeps autovacuum away from all tables of the database: the counters are of everybody who reads, and it would read the whole
 * of a table that a test has filled.
 */
export async function keepVacuumAway(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables",
  );
  for (const { name } of rows) {
    await pool.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off, toast.autovacuum_enabled = off)`);
  }
}

async function countReads({ pool, prismaPool }: Database): Promise<Reads> {
  // A pool without a connection has read nothing.
  for (const one of [pool, prismaPool])
    if (one.totalCount > 0) await one.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<Reads>(
    `SELECT sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
              + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0))::bigint AS blocks,
            (SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables) AS "scannedRows"
     FROM pg_statio_user_tables`,
  );
  return rows[0] ?? { blocks: 0, scannedRows: 0 };
}
