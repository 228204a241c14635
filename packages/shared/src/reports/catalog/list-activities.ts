import type { Issue } from '@continuity/contract';
import type { ActivitySource } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type JsonAnswer, longPage } from '@continuity/shared/handlers';
import { readHighWatermark } from './activity-sequence.ts';

/** The fields of a list request. The period is half-open; `after_cursor` is exclusive, `through_cursor` inclusive. */
interface ActivityList {
  project_id: string;
  period_start: string | null;
  period_end: string | null;
  sources: ActivitySource[] | null;
  after_cursor: number;
  through_cursor: number | null;
  limit: number;
}

/** Validates that a period starts before it ends. */
export function findPeriodIssues({ period_start, period_end }: ActivityList): Issue[] {
  if (period_start === null || period_end === null || period_start < period_end) return [];
  return [{ path: 'period_start', message: 'must be before period_end' }];
}

/**
 * Lists events ascending by cursor, on one snapshot with the high watermark (spec 30 §5.4.5). The events stay text, because a page can
 * have 30 MB. Throws 404 `project_not_found`.
 */
export async function listActivities(
  database: Database,
  tenantId: TenantId,
  list: ActivityList,
): Promise<JsonAnswer> {
  const { project_id: projectId, limit } = list;
  const { rows, highWatermark } = await database.prismaSnapshot(async ({ prisma }) => {
    const highWatermark = await readHighWatermark({ prisma }, tenantId, projectId);
    const rows = await prisma.reportActivity.findMany({
      where: {
        tenantId,
        projectId,
        cursor: { gt: list.after_cursor, lte: list.through_cursor ?? highWatermark },
        ...(list.sources !== null && { source: { in: list.sources } }),
        ...effectiveWithin(list),
      },
      orderBy: { cursor: 'asc' },
      take: limit + 1,
      select: { cursor: true, event: true },
    });
    return { rows, highWatermark };
  });
  const page = rows.slice(0, limit);
  return longPage(
    page.map(({ event }) => event),
    {
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
      high_watermark: highWatermark,
    },
  );
}

/** The filter of a period; it excludes events without an effective time. */
function effectiveWithin({ period_start, period_end }: ActivityList) {
  if (period_start === null && period_end === null) return {};
  return {
    effectiveAt: {
      ...(period_start !== null && { gte: period_start }),
      ...(period_end !== null && { lt: period_end }),
    },
  };
}
