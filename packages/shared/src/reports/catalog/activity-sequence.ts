import type { Database, Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';

/** The high watermark: the highest cursor ever given in a Project. Throws 404 `project_not_found`. */
export async function readHighWatermark(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  projectId: string,
): Promise<number> {
  if (isServerId(projectId)) {
    const sequence = await prisma.reportActivitySequence.findUnique({
      where: { tenantId_projectId: { tenantId, projectId } },
      select: { lastCursor: true },
    });
    if (sequence !== null) return sequence.lastCursor;
  }
  throw serviceError('project_not_found');
}

/** The database for writers of a Project's activities, which all lock one row. */
export function activityWriters(database: Database, tenantId: TenantId, projectId: string): Database {
  return database.limitedBy(`activities ${tenantId} ${projectId}`);
}
