import type { Issue } from '@continuity/contract';
import type { ActivitySource, ProjectDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type CursorCodec, type JsonAnswer, longPage } from '@continuity/shared/handlers';
import { z } from 'zod';
import { projectSelect, readProject, toProject } from './project-descriptor.ts';
import { readHighWatermark } from './record-activity.ts';
import { toWorkstream, workstreamSelect } from './workstream-descriptor.ts';

/** One page of a list of the catalog. */
interface CatalogPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** The fields of a list request. */
export interface CatalogList {
  limit: number;
  cursor: string | null;
  include_archived: boolean;
}

/** Lists Projects ascending by id (spec 30 §5.3.5). Throws 400 `invalid_cursor`. */
export async function listProjects(
  { prisma }: Database,
  cursors: CursorCodec,
  tenantId: TenantId,
  { limit, cursor, include_archived }: CatalogList,
): Promise<CatalogPage<ProjectDescriptor>> {
  const binding = { tenantId, operation: 'list_handoff_report_projects', query: { include_archived } };
  const after = cursor === null ? undefined : cursors.decode(binding, cursor, z.string());
  const rows = await prisma.reportProject.findMany({
    where: {
      tenantId,
      ...(!include_archived && { catalogState: 'included' }),
      ...(after !== undefined && { projectId: { gt: after } }),
    },
    orderBy: { projectId: 'asc' },
    take: limit + 1,
    select: projectSelect,
  });
  const items = rows.slice(0, limit).map(toProject);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items,
    next_cursor: last === undefined ? null : cursors.encode(binding, last.project_id),
  };
}

/**
 * Lists the Workstreams of a Project ascending by Scope id (spec 30 §5.3.5). A page can have 30 MB. Throws 400 `invalid_cursor`, then
 * 404.
 */
export async function listWorkstreams(
  database: Database,
  cursors: CursorCodec,
  tenantId: TenantId,
  { project_id, limit, cursor, include_archived }: CatalogList & { project_id: string },
): Promise<JsonAnswer> {
  const binding = {
    tenantId,
    operation: 'list_handoff_report_workstreams',
    query: { project_id, include_archived },
  };
  const after = cursor === null ? undefined : cursors.decode(binding, cursor, z.string());
  await readProject(database, tenantId, project_id);
  const rows = await database.prisma.reportWorkstream.findMany({
    where: {
      tenantId,
      projectId: project_id,
      ...(!include_archived && { catalogState: 'included' }),
      ...(after !== undefined && { scopeId: { gt: after } }),
    },
    orderBy: { scopeId: 'asc' },
    take: limit + 1,
    select: workstreamSelect,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return longPage(writeItems(page), {
    next_cursor: last === undefined ? null : cursors.encode(binding, last.scopeId),
  });
}

function* writeItems(rows: readonly Parameters<typeof toWorkstream>[0][]): Generator<string> {
  for (const row of rows) yield JSON.stringify(toWorkstream(row));
}

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
