import {
  column,
  type Database,
  deploymentStatement,
  isWritableHere,
  pick,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { deleteReports } from '../renderings/store.ts';
import { activityWriters, readHighWatermark } from './record-activity.ts';

/** Events that one transaction deletes. */
const batchSize = 5_000;

/** The row lock orders a purge, the events that are recorded, and the reports that end at the same time. */
const lockSequence = statement(
  'lock_report_activity_sequence',
  'SELECT FROM report_activity_sequences WHERE tenant_id = $1 AND project_id = $2 FOR NO KEY UPDATE',
);

/**
 * Deletes by ctid. Before the server has statistics, it chose an index for the keys of the batch that reads all events of the Project
 * for each of them: 5,000 events took seconds.
 */
const deleteBatch = statement(
  'purge_report_activities',
  `WITH deleted AS (
     DELETE FROM report_activities a USING (
       SELECT tableoid, ctid FROM report_activities
       WHERE tenant_id = $1 AND project_id = $2 AND observed_at < $3 AND cursor <= $4 LIMIT ${batchSize}
     ) AS old
     WHERE a.tableoid = old.tableoid AND a.ctid = old.ctid RETURNING a.cursor
   )
   SELECT count(*) AS deleted FROM deleted`,
  { deleted: column.bigint },
);

/**
 * Deletes the events of a Project that were observed before a time, and returns their number (spec 30 §5.4.3). Events that are
 * recorded after the start of the call stay. Throws 404 `project_not_found`.
 */
export async function purgeActivities(
  database: Database,
  tenantId: TenantId,
  projectId: string,
  observedBefore: string,
): Promise<number> {
  const highWatermark = await readHighWatermark(database, tenantId, projectId);
  const writers = activityWriters(database, tenantId, projectId);
  let deleted = 0;
  for (let batch = batchSize; batch === batchSize; deleted += batch) {
    batch = await purgeBatch(writers, [tenantId, projectId, observedBefore, highWatermark]);
  }
  return deleted;
}

function purgeBatch(
  database: Database,
  purged: [tenantId: TenantId, projectId: string, observedBefore: string, highWatermark: number],
): Promise<number> {
  const [tenantId, projectId] = purged;
  return database.prismaTransaction(async ({ sql, prisma }) => {
    await sql.rows(lockSequence, [tenantId, projectId]);
    const { deleted = 0 } = (await sql.first(deleteBatch, purged)) ?? {};
    if (deleted === 0) return 0;
    await prisma.reportActivitySequence.update({
      where: { tenantId_projectId: { tenantId, projectId } },
      data: { purgeCount: { increment: 1 } },
      select: { purgeCount: true },
    });
    await deleteReports(sql, tenantId, projectId);
    return deleted;
  });
}

/** Interval of the sweep in milliseconds. The contract promises one in each hour (spec 30 §5.4.6). */
export const activitySweepMs = 600_000;

const findOldest = deploymentStatement(
  'find_oldest_report_activity',
  `SELECT tenant_id, project_id, now() - $1::int * interval '1 day' AS observed_before
   FROM report_activities WHERE observed_at < now() - $1::int * interval '1 day'
     AND ${isWritableHere('report_activities.tenant_id')}
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
