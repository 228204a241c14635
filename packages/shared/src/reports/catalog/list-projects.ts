import type { ProjectDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { projectSelect, toProject } from './project-descriptor.ts';

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
