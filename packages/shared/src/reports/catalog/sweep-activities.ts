import { column, type Database, deploymentStatement, pick, tables } from '@continuity/kernel/database';
import { purgeActivities } from './purge-activities.ts';

/** Interval of the sweep in milliseconds. The contract promises one in each hour (spec 30 §5.4.6). */
export const activitySweepMs = 600_000;

const findOldest = deploymentStatement(
  'find_oldest_report_activity',
  `SELECT tenant_id, project_id, now() - $1::int * interval '1 day' AS observed_before
   FROM report_activities WHERE observed_at < now() - $1::int * interval '1 day'
   ORDER BY observed_at LIMIT 1`,
  { ...pick(tables.report_activities, 'tenant_id', 'project_id'), observed_before: column.timestamptz },
);

/** Deletes the events of all tenants that are older than `days`, with the effect of a purge on their Projects. */
export async function sweepActivities(database: Database, days: number): Promise<void> {
  for (;;) {
    const oldest = await database.sql.first(findOldest, [days]);
    if (oldest === undefined) return;
    const { tenant_id, project_id, observed_before } = oldest;
    await purgeActivities(database, tenant_id, project_id, observed_before.toISOString());
  }
}
