import { type HandoffReportActivity, maxReportActivities } from '@continuity/contract/reports';
import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { compareActivities } from '../content/activities.ts';

/** A half-open time range. */
export interface TimeRange {
  start: Date;
  end: Date;
}

const selected = `a.tenant_id = $1 AND a.project_id = $2
  AND ($3::timestamptz IS NULL OR a.effective_at >= $3 AND a.effective_at < $4::timestamptz)`;

/** Reads the sizes of no more events than a report may have. */
const totalsStatement = statement(
  'count_report_activities',
  `SELECT (SELECT count(*) FROM report_activities a WHERE ${selected}) AS selected,
     (SELECT count(*) FROM report_activities a
      WHERE a.tenant_id = $1 AND a.project_id = $2 AND a.effective_at >= $5::timestamptz AND a.effective_at < $3) AS previous,
     (SELECT coalesce(sum(octet_length(event)), 0)::bigint FROM (
        SELECT a.event FROM report_activities a WHERE ${selected} LIMIT ${maxReportActivities + 1}) AS a) AS bytes`,
  { selected: column.bigint, previous: column.bigint, bytes: column.bigint },
);

const eventsStatement = statement(
  'read_report_activities',
  `SELECT event FROM report_activities a WHERE ${selected}`,
  pick(tables.report_activities, 'event'),
);

/** Counts of the events of a report. */
export interface ActivityTotals {
  selected: number;
  /** Events in the previous period. */
  previous: number;
  /** Bytes of the selected events as canonical JSON. */
  bytes: number;
}

/** Counts the events of a Project: all, or those whose effective time is in `period`; and those from `previousStart` up to it. */
export async function countActivities(
  sql: Sql,
  tenantId: TenantId,
  projectId: string,
  period: TimeRange | null,
  previousStart: Date | null,
): Promise<ActivityTotals> {
  const values = [...selectionValues(tenantId, projectId, period), previousStart];
  const row = await sql.first(totalsStatement, values);
  if (row === undefined) throw new Error('Counting the activities of a report gave no row.');
  return row;
}

/** Reads the selected events in the order of a report. */
export async function readActivities(
  sql: Sql,
  tenantId: TenantId,
  projectId: string,
  period: TimeRange | null,
): Promise<HandoffReportActivity[]> {
  const rows = await sql.rows(eventsStatement, selectionValues(tenantId, projectId, period));
  return rows.map(({ event }) => JSON.parse(event) as HandoffReportActivity).sort(compareActivities);
}

function selectionValues(tenantId: TenantId, projectId: string, period: TimeRange | null): unknown[] {
  return [tenantId, projectId, period?.start ?? null, period?.end ?? null];
}
