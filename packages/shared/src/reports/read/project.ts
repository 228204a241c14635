import type { NormalizedReportPeriod, ProjectDescriptor, ReportLocale } from '@continuity/contract/reports';
import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';

const findStatement = statement(
  'read_report_project',
  `SELECT date_trunc('milliseconds', now()) AS read_at,
     p.project_id, p.project_key, p.title, p.description, p.default_locale, p.timezone, p.catalog_state, p.version,
     coalesce(s.last_cursor, 0)::bigint AS last_cursor, coalesce(s.purge_count, 0)::int AS purge_count,
     (SELECT count(*) FROM report_workstreams w
      WHERE w.tenant_id = $1 AND w.project_id = $2 AND w.catalog_state = ANY ($3::text[])) AS workstreams
   FROM report_projects p
   LEFT JOIN report_activity_sequences s ON s.tenant_id = p.tenant_id AND s.project_id = p.project_id
   WHERE p.tenant_id = $1 AND p.project_id = $2`,
  {
    read_at: column.timestamptz,
    ...pick(
      tables.report_projects,
      'project_id',
      'project_key',
      'title',
      'description',
      'timezone',
      'version',
    ),
    default_locale: tables.report_projects.default_locale.as<ReportLocale>(),
    catalog_state: tables.report_projects.catalog_state.as<ProjectDescriptor['catalog_state']>(),
    last_cursor: column.bigint,
    purge_count: column.integer,
    workstreams: column.bigint,
  },
);

/** A Project on a snapshot. */
export interface ReadProject {
  readAt: Date;
  descriptor: ProjectDescriptor;
  /** High watermark of its activities. */
  lastCursor: number;
  /** Number of purges: a report is stale once it has changed. */
  purgeCount: number;
  /** Number of Workstreams of the selected states. */
  workstreams: number;
}

/** Reads a Project. Throws 404 `project_not_found`. */
export async function readProject(
  sql: Sql,
  tenantId: TenantId,
  projectId: string,
  includeArchived: boolean,
): Promise<ReadProject> {
  const row = isServerId(projectId)
    ? await sql.first(findStatement, [tenantId, projectId, selectedStates(includeArchived)])
    : undefined;
  if (row === undefined) throw serviceError('project_not_found');
  const { read_at, last_cursor, purge_count, workstreams, ...fields } = row;
  return {
    readAt: read_at,
    descriptor: { schema: 'service.project.v1', ...fields },
    lastCursor: last_cursor,
    purgeCount: purge_count,
    workstreams,
  };
}

/** The states of the Workstreams of a report. */
export function selectedStates(includeArchived: boolean): ProjectDescriptor['catalog_state'][] {
  return includeArchived ? ['included', 'archived'] : ['included'];
}

/** A period as a report carries it; the zone is the Project's if the request names none. */
export function normalizePeriod(
  period: { start: string; end: string; timezone: string | null; compare_to_previous_period: boolean } | null,
  { timezone }: ProjectDescriptor,
): NormalizedReportPeriod | null {
  return period && { ...period, timezone: period.timezone ?? timezone };
}
