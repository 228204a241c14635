import type { Issue } from '@continuity/contract';
import type { NewActivity } from '@continuity/contract/reports';

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
