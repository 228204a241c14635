import { newId } from '@continuity/kernel/text';
import { expect, test } from 'vitest';
import { purgeActivities } from '../../src/reports/catalog/purge-activities.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('purge', 4);
const projectId = newId();

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function addEvents(from: number, to: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO report_activities
       (tenant_id, project_id, cursor, event_id, source, source_event_id, effective_at, observed_at, event)
     SELECT $1, $2, n, gen_random_uuid(), 'manual', n::text, now(), now() - interval '1 hour', '{}'
     FROM generate_series($3::int, $4::int) AS n`,
    [tenantId, projectId, from, to],
  );
}

test('a purge of 10,000 events takes no longer than writing them, also before the server has statistics', async () => {
  await database.pool.query(
    `WITH project AS (
       INSERT INTO report_projects (tenant_id, project_id, project_key, normalized_key, title, default_locale, timezone, catalog_state)
       VALUES ($1, $2, 'p', 'p', 'P', 'en', 'UTC', 'included')
     )
     INSERT INTO report_activity_sequences (tenant_id, project_id, last_cursor) VALUES ($1, $2, 10001)`,
    [tenantId, projectId],
  );
  const purge = () => purgeActivities(database, tenantId, projectId, new Date().toISOString());
  // The first purge loads Prisma Client.
  await addEvents(1, 1);
  expect(await purge()).toBe(1);
  const writeMs = await elapsedMs(() => addEvents(2, 10_001));
  const purgeMs = await elapsedMs(async () => expect(await purge()).toBe(10_000));
  expect(purgeMs).toBeLessThan(writeMs);
});
