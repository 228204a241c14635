import { type Database, statement, type TenantId } from '@continuity/shared/kernel';
import { deleteReports } from '../renderings/purge.ts';
import { activityWriters, readHighWatermark } from './activity-sequence.ts';

/** Events that one transaction deletes. */
const batchSize = 5_000;

/** The row lock orders a purge, the events that are recorded, and the reports that end at the same time. */
const lockSequence = statement(
  'lock_report_activity_sequence',
  'SELECT FROM report_activity_sequences WHERE tenant_id = $1 AND project_id = $2 FOR NO KEY UPDATE',
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
    batch = await purgeBatch(writers, tenantId, projectId, {
      observedAt: { lt: observedBefore },
      cursor: { lte: highWatermark },
    });
  }
  return deleted;
}

function purgeBatch(
  database: Database,
  tenantId: TenantId,
  projectId: string,
  purged: { observedAt: { lt: string }; cursor: { lte: number } },
): Promise<number> {
  return database.prismaTransaction(async ({ sql, prisma }) => {
    await sql.rows(lockSequence, [tenantId, projectId]);
    const { count } = await prisma.reportActivity.deleteMany({
      where: { tenantId, projectId, ...purged },
      limit: batchSize,
    });
    if (count === 0) return 0;
    await prisma.reportActivitySequence.update({
      where: { tenantId_projectId: { tenantId, projectId } },
      data: { purgeCount: { increment: 1 } },
      select: { purgeCount: true },
    });
    await deleteReports(sql, tenantId, projectId);
    return count;
  });
}
