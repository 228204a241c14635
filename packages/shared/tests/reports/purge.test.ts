import { type Database, openDatabase } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import { purgeActivities } from '../../src/reports/catalog/purge-activities.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId, url } = await openOwnDatabase('purge', 4);
const projectId = newId();
const events = 10_000;

/** Blocks of all tables and indexes that ended sessions have read or written. */
async function countBlocks(): Promise<number> {
  const { rows } = await database.pool.query<{ blocks: number }>(
    `SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 AS blocks
     FROM pg_statio_user_tables`,
  );
  return rows[0]?.blocks ?? 0;
}

/** Counts the blocks that `work` needs, in sessions of its own: the server has counted them all once the sessions have ended. */
async function blocksOf(work: (own: Database) => Promise<unknown>): Promise<number> {
  const before = await countBlocks();
  const own = openDatabase({ url, size: 2, name: 'counted', onIdleError: () => undefined });
  await work(own);
  await own.close();
  const open =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'counted'";
  await waitUntil(async () => (await database.pool.query(open)).rowCount === 0);
  return (await countBlocks()) - before;
}

test('a purge of 10,000 events reads fewer blocks than writing them needs, also before the server has statistics', async () => {
  await database.pool.query(
    `WITH project AS (
       INSERT INTO report_projects (tenant_id, project_id, project_key, normalized_key, title, default_locale, timezone, catalog_state)
       VALUES ($1, $2, 'p', 'p', 'P', 'en', 'UTC', 'included')
     )
     INSERT INTO report_activity_sequences (tenant_id, project_id, last_cursor) VALUES ($1, $2, $3)`,
    [tenantId, projectId, events],
  );
  const written = await blocksOf((own) =>
    own.pool.query(
      `INSERT INTO report_activities
         (tenant_id, project_id, cursor, event_id, source, source_event_id, effective_at, observed_at, event)
       SELECT $1, $2, n, gen_random_uuid(), 'manual', n::text, now(), now() - interval '1 hour', '{}'
       FROM generate_series(1, $3::int) AS n`,
      [tenantId, projectId, events],
    ),
  );
  const purged = await blocksOf(async (own) => {
    expect(await purgeActivities(own, tenantId, projectId, new Date().toISOString())).toBe(events);
  });
  expect(purged).toBeGreaterThan(0);
  expect(purged).toBeLessThan(written);
});
