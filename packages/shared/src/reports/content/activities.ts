import type { HandoffReportActivity, ScopeReport } from '@continuity/contract/reports';
import { compareCodePoints } from '@continuity/kernel/text';

/** Fields that decide the time and the place of an activity. */
export type ActivityIdentity = Pick<
  HandoffReportActivity,
  'event_id' | 'source' | 'source_event_id' | 'occurred_at' | 'observed_at' | 'time_basis'
>;

/** The time by which a period selects an event; null if nobody knows when it happened (spec 30 §4.3.7). */
export function effectiveTime({
  time_basis,
  occurred_at,
  observed_at,
}: Pick<ActivityIdentity, 'time_basis' | 'occurred_at' | 'observed_at'>): string | null {
  switch (time_basis) {
    case 'source_reported':
      return occurred_at;
    case 'host_observed':
    case 'first_seen':
      return observed_at;
    case 'current_only':
    case 'unknown':
      return null;
  }
}

/** Orders events: those with an effective time first, by it, then by observation and id (spec 30 §4.3.6). */
export function compareActivities(left: ActivityIdentity, right: ActivityIdentity): number {
  const [leftTime, rightTime] = [effectiveTime(left), effectiveTime(right)];
  if (leftTime !== null && rightTime === null) return -1;
  if (leftTime === null && rightTime !== null) return 1;
  return (
    compareCodePoints(leftTime ?? '', rightTime ?? '') ||
    compareCodePoints(left.observed_at, right.observed_at) ||
    compareCodePoints(left.event_id, right.event_id)
  );
}

/** How the activities of an entry relate to its Handoff (spec 30 §4.3.8). */
export function relateActivities(
  activities: readonly ActivityIdentity[],
  committedAt: string | null,
): Pick<ScopeReport, 'activity_status' | 'handoff_activity_relation'> {
  if (activities.length === 0)
    return { activity_status: 'no_observed_activity', handoff_activity_relation: null };
  if (committedAt === null) {
    return { activity_status: 'activity_without_handoff', handoff_activity_relation: null };
  }
  const relation = relationOf(activities.map(effectiveTime), committedAt);
  const isCurrentOnly = activities.every(({ time_basis }) => time_basis === 'current_only');
  return {
    activity_status: isCurrentOnly ? 'current_only' : statusOfRelation[relation],
    handoff_activity_relation: relation,
  };
}

type Relation = NonNullable<ScopeReport['handoff_activity_relation']>;

const statusOfRelation: Record<Relation, ScopeReport['activity_status']> = {
  activity_after_handoff: 'activity_after_handoff',
  no_observed_activity_after_handoff: 'activity_before_handoff',
  unknown: 'unknown',
};

function relationOf(times: readonly (string | null)[], committedAt: string): Relation {
  const known = times.filter((time) => time !== null);
  if (known.some((time) => time > committedAt)) return 'activity_after_handoff';
  return known.length === times.length ? 'no_observed_activity_after_handoff' : 'unknown';
}
