import type { Issue } from '@continuity/contract';
import type { HandoffReportActivity, NewActivity } from '@continuity/contract/reports';
import {
  column,
  type Database,
  type Queries,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { isServerId, newId } from '@continuity/kernel/text';
import { effectiveTime } from '../content/activities.ts';
import { retryRace } from './keys.ts';
import { readProject } from './project-descriptor.ts';

/** Validates an activity across its fields (spec 30 §5.4.2). */
export function findActivityIssues({ occurred_at, time_basis, agent, vcs_context }: NewActivity): Issue[] {
  const issues: Issue[] = [];
  const isReported = time_basis === 'source_reported';
  if (isReported && occurred_at === null) {
    issues.push({ path: 'occurred_at', message: 'is required with the time_basis source_reported' });
  }
  if (!isReported && occurred_at !== null) {
    issues.push({ path: 'occurred_at', message: 'must be absent unless the time_basis is source_reported' });
  }
  for (const [path, value] of Object.entries({ agent, vcs_context })) {
    if (value !== null && Object.values(value).every((part) => part === null)) {
      issues.push({ path, message: 'must have at least one value' });
    }
  }
  return issues;
}

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

/** An event with its place in its Project. */
interface RecordedActivity {
  cursor: number;
  event: HandoffReportActivity;
}

/** Locks the sequence of the Project before it takes the next cursor, so that cursors are gapless and become visible in order. */
const takeCursor = statement(
  'take_report_activity_cursor',
  `UPDATE report_activity_sequences SET last_cursor = last_cursor + 1 WHERE tenant_id = $1 AND project_id = $2
   RETURNING last_cursor, clock_timestamp()::timestamptz(3) AS observed_at`,
  { last_cursor: tables.report_activity_sequences.last_cursor, observed_at: column.timestamptz },
);

/**
 * Records an event of a Project (spec 30 §5.4). A repeat of a stored event returns the stored one. Throws 404
 * `project_not_found`, then 409 `activity_event_conflict` for other content under the same identity.
 */
export function recordActivity(
  database: Database,
  tenantId: TenantId,
  activity: NewActivity,
): Promise<RecordedActivity> {
  const { project_id: projectId, source, source_event_id: sourceEventId } = activity;
  return retryRace(async () => {
    await readProject(database, tenantId, projectId);
    const stored = await database.prisma.reportActivity.findUnique({
      where: { tenantId_source_sourceEventId: { tenantId, source, sourceEventId } },
      select: { cursor: true, event: true },
    });
    if (stored === null)
      return insertActivity(activityWriters(database, tenantId, projectId), tenantId, activity);
    const event = JSON.parse(stored.event) as HandoffReportActivity;
    if (contentOf(event) === contentOf(eventOf(activity, event))) return { cursor: stored.cursor, event };
    throw serviceError('activity_event_conflict', { details: { source, source_event_id: sourceEventId } });
  });
}

function insertActivity(
  { prismaTransaction }: Database,
  tenantId: TenantId,
  activity: NewActivity,
): Promise<RecordedActivity> {
  const { project_id: projectId } = activity;
  return prismaTransaction(async ({ sql, prisma }) => {
    const taken = await sql.first(takeCursor, [tenantId, projectId]);
    if (taken === undefined) throw new Error('The Project has no sequence of activities.');
    const { last_cursor: cursor, observed_at: observedAt } = taken;
    const event = eventOf(activity, { event_id: newId(), observed_at: observedAt.toISOString() });
    await prisma.reportActivity.create({
      data: {
        tenantId,
        projectId,
        cursor,
        eventId: event.event_id,
        source: event.source,
        sourceEventId: event.source_event_id,
        scopeId: event.scope_id,
        effectiveAt: effectiveTime(event),
        observedAt,
        event: canonicalJson(event),
      },
      select: { cursor: true },
    });
    return { cursor, event };
  });
}

type Observed = Pick<HandoffReportActivity, 'event_id' | 'observed_at'>;

function eventOf(activity: NewActivity, { event_id, observed_at }: Observed): HandoffReportActivity {
  return {
    schema: 'service.handoff-report-activity.v1',
    event_id,
    ...activity,
    observed_at,
    trust: 'untrusted_observation',
  };
}

/** Canonical JSON of the fields that decide whether a repeat is equal (spec 30 §5.4.1). */
function contentOf({ event_id: _id, observed_at: _time, ...content }: HandoffReportActivity): string {
  return canonicalJson(content);
}
