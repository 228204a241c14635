import type { Database, TenantId } from '@continuity/kernel/database';
import { type CursorCodec, type JsonAnswer, longPage } from '@continuity/shared/handlers';
import { z } from 'zod';
import type { CatalogList } from './list-projects.ts';
import { readProject } from './project-descriptor.ts';
import { toWorkstream, workstreamSelect } from './workstream-descriptor.ts';

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
