import type { Issue, ScopeSelection } from '@continuity/contract';
import type { PageJobPayload, ReportQuery, ReportRequest } from '@continuity/contract/reports';
import { requireNoIssues } from '@continuity/kernel/errors';
import { compareCodePoints } from '@continuity/kernel/text';

/** Limit of the period of a report, in milliseconds. */
const dayMs = 24 * 3_600_000;
const maxPeriodMs = 366 * dayMs;
const firstMs = Date.parse('0001-01-01T00:00:00.000Z');

/** The names of the fields in one spelling of a request, for the paths of its issues. */
interface FieldNames {
  selections: readonly string[];
  includeArchived: string;
  period: string;
  periodStart: string;
}

const bodyNames: FieldNames = {
  selections: ['selection', 'project_id'],
  includeArchived: 'include_archived',
  period: 'period',
  periodStart: 'period.start',
};

const queryNames: FieldNames = {
  selections: ['project_id', 'scope_id', 'root_scope_id'],
  includeArchived: 'include_archived',
  period: 'period_start',
  periodStart: 'period_start',
};

/** The payload of the job of a request. Throws 422 for fields that do not go together (spec 30 §4.1). */
export function jobPayloadOf(request: Omit<ReportRequest, 'format' | 'download'>): PageJobPayload {
  const { selection, project_id, locale, include_evidence_checks, include_archived, period } = request;
  const payload = {
    selection: selection && sortScopeIds(selection),
    project_id,
    locale,
    include_evidence_checks,
    include_archived,
    period,
  };
  const selectionCount = [selection, project_id].filter((value) => value !== null).length;
  requireNoIssues(findRequestIssues(payload, selectionCount, bodyNames));
  return payload;
}

/** As `jobPayloadOf`, for the query of a page (spec 30 §4.11.1). */
export function jobPayloadOfQuery(query: ReportQuery): PageJobPayload {
  const { project_id = null, scope_id, root_scope_id, period_start, period_end } = query;
  const selectionCount = [query.project_id, scope_id, root_scope_id].filter(
    (value) => value !== undefined,
  ).length;
  const payload: PageJobPayload = {
    selection: selectionOf(query),
    project_id,
    locale: query.locale ?? null,
    include_evidence_checks: query.include_evidence_checks ?? true,
    include_archived: query.include_archived ?? false,
    period:
      period_start === undefined || period_end === undefined
        ? null
        : {
            start: period_start,
            end: period_end,
            timezone: query.timezone ?? null,
            compare_to_previous_period: query.compare_to_previous_period ?? false,
          },
  };
  requireNoIssues([...findUnpairedIssues(query), ...findRequestIssues(payload, selectionCount, queryNames)]);
  return payload;
}

function selectionOf({ scope_id, root_scope_id }: ReportQuery): ScopeSelection | null {
  if (scope_id !== undefined) return { mode: 'exact', scope_ids: [scope_id] };
  return root_scope_id === undefined ? null : { mode: 'subtree', root_scope_id };
}

/** Equal selections have equal payloads, so that their requests share a job. */
function sortScopeIds(selection: ScopeSelection): ScopeSelection {
  if (selection.mode !== 'exact') return selection;
  return { ...selection, scope_ids: selection.scope_ids.toSorted(compareCodePoints) };
}

/** The issues of period parameters that need others which are missing. */
function findUnpairedIssues(query: ReportQuery): Issue[] {
  const { period_start, period_end, timezone, compare_to_previous_period } = query;
  const issues: Issue[] = [];
  if (period_start !== undefined && period_end === undefined)
    issues.push({ path: 'period_start', message: 'needs period_end' });
  if (period_end !== undefined && period_start === undefined)
    issues.push({ path: 'period_end', message: 'needs period_start' });
  if (period_start !== undefined || period_end !== undefined) return issues;
  for (const [path, value] of Object.entries({ timezone, compare_to_previous_period })) {
    if (value !== undefined) issues.push({ path, message: 'needs period_start and period_end' });
  }
  return issues;
}

function findRequestIssues(
  { project_id, include_archived, period }: PageJobPayload,
  selectionCount: number,
  names: FieldNames,
): Issue[] {
  const issues: Issue[] = [];
  if (selectionCount !== 1) {
    const message = `exactly one of ${names.selections.join(', ')} is needed`;
    issues.push(...names.selections.map((path) => ({ path, message })));
    return issues;
  }
  if (project_id === null && include_archived)
    issues.push({ path: names.includeArchived, message: 'needs project_id' });
  if (project_id === null && period !== null)
    issues.push({ path: names.period, message: 'needs project_id' });
  return [...issues, ...findPeriodIssues(period, names)];
}

function findPeriodIssues(period: PageJobPayload['period'], names: FieldNames): Issue[] {
  if (period === null) return [];
  const [start, end] = [Date.parse(period.start), Date.parse(period.end)];
  if (start >= end) return [{ path: names.period, message: 'must start before it ends' }];
  if (end - start > maxPeriodMs) {
    const days = Math.ceil((end - start) / dayMs);
    return [{ path: names.period, message: `must have at most 366 days of 24 hours, and has ${days}` }];
  }
  if (!period.compare_to_previous_period || 2 * start - end >= firstMs) return [];
  return [{ path: names.periodStart, message: 'leaves no previous period after the year 1' }];
}
