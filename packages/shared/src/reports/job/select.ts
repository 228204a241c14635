import { maxReportActivities, maxReportWorkstreams, type PageJobPayload } from '@continuity/contract/reports';
import { column, deploymentStatement, type Sql, type TenantId } from '@continuity/kernel/database';
import { resolveSelection } from '../../scopes/index.ts';
import { type ActivityTotals, countActivities, type TimeRange } from '../read/activities.ts';
import { type PlannedEntry, planOfProject, planOfScopes } from '../read/plan.ts';
import { type ReadProject, readProject } from '../read/project.ts';
import { type ReportLimits, reportTooLarge } from './report-deps.ts';

/** The selection of a report on its snapshot, without texts. */
export interface SelectedReport {
  /** Time of the snapshot. */
  readAt: Date;
  /** Null for a selection of Scopes. */
  project: ReadProject | null;
  period: TimeRange | null;
  /** Start of the previous period; null without a comparison. */
  previousStart: Date | null;
  entries: PlannedEntry[];
  activities: ActivityTotals;
}

const readClock = deploymentStatement(
  'read_report_clock',
  `SELECT date_trunc('milliseconds', now()) AS read_at`,
  { read_at: column.timestamptz },
);

/**
 * Selects the entries of a report and counts what it holds. Throws 404 for an unknown Project or Scope, the 422 of the resolver,
 * and 413 for a report whose counts or texts exceed a limit (spec 30 §4.6).
 */
export async function selectReport(
  sql: Sql,
  tenantId: TenantId,
  request: PageJobPayload,
  limits: ReportLimits,
): Promise<SelectedReport> {
  const { project_id } = request;
  const selected =
    project_id === null
      ? await selectScopes(sql, tenantId, request, limits)
      : await selectProject(sql, tenantId, project_id, request);
  requireRoom(selected, limits.outputBytes);
  return selected;
}

async function selectScopes(
  sql: Sql,
  tenantId: TenantId,
  { selection }: PageJobPayload,
  { maxScopes }: ReportLimits,
): Promise<SelectedReport> {
  if (selection === null) throw new Error('A report job selects neither Scopes nor a Project.');
  const [clock, scopes] = await Promise.all([
    sql.first(readClock, []),
    resolveSelection(sql, tenantId, selection),
  ]);
  if (clock === undefined) throw new Error('The database gave no time.');
  requireCount('scopes', maxScopes, { workstreams: scopes.length });
  const entries = await planOfScopes(
    sql,
    tenantId,
    scopes.map(({ scopeKey }) => scopeKey),
  );
  return {
    readAt: clock.read_at,
    project: null,
    period: null,
    previousStart: null,
    entries,
    activities: { selected: 0, previous: 0, bytes: 0 },
  };
}

async function selectProject(
  sql: Sql,
  tenantId: TenantId,
  projectId: string,
  request: PageJobPayload,
): Promise<SelectedReport> {
  const { include_archived: includeArchived } = request;
  const { period, previousStart } = timesOf(request);
  const project = await readProject(sql, tenantId, projectId, includeArchived);
  const { workstreams } = project;
  requireCount('workstreams', maxReportWorkstreams, { workstreams });
  const end = period?.end ?? null;
  const start = previousStart === null ? null : (period?.start ?? null);
  const [entries, activities] = await Promise.all([
    planOfProject(sql, tenantId, projectId, { includeArchived, end, start }),
    countActivities(sql, tenantId, projectId, period, previousStart),
  ]);
  requireCount('activities', maxReportActivities, { workstreams, activities: activities.selected });
  return { readAt: project.readAt, project, period, previousStart, entries, activities };
}

/** The period of a request, and the start of the previous one, which is as long. */
function timesOf({ period }: PageJobPayload): Pick<SelectedReport, 'period' | 'previousStart'> {
  if (period === null) return { period: null, previousStart: null };
  const [start, end] = [new Date(period.start), new Date(period.end)];
  const previousStart = period.compare_to_previous_period
    ? new Date(2 * start.getTime() - end.getTime())
    : null;
  return { period: { start, end }, previousStart };
}

function requireCount(
  limit: 'workstreams' | 'scopes' | 'activities',
  value: number,
  { workstreams, activities = 0 }: { workstreams: number; activities?: number },
): void {
  if ((limit === 'activities' ? activities : workstreams) <= value) return;
  throw reportTooLarge({
    limit,
    limit_value: value,
    estimated_bytes: null,
    selected_workstreams: workstreams,
    selected_activities: activities,
  });
}

/** Throws 413 if the texts alone exceed the limit, before any of them is loaded. */
function requireRoom({ entries, activities, period }: SelectedReport, limitBytes: number): void {
  const texts = entries.map(
    ({ bytes }) => bytes.content + bytes.descriptor + (period === null ? bytes.events : 0),
  );
  const bytes = texts.reduce((sum, one) => sum + one, activities.bytes);
  if (bytes > limitBytes) throw outputTooLarge({ entries, activities }, limitBytes, bytes);
}

/** The 413 of a body of `bytes` or more. */
export function outputTooLarge(
  { entries, activities }: Pick<SelectedReport, 'entries' | 'activities'>,
  limitBytes: number,
  bytes: number,
) {
  return reportTooLarge({
    limit: 'output_bytes',
    limit_value: limitBytes,
    estimated_bytes: bytes,
    selected_workstreams: entries.length,
    selected_activities: activities.selected,
  });
}
