/**
 * SQL: whether a caller has the id of an unfinished job and reads its result later (`Prefer: respond-async`, a retry). False for a job
 * whose callers wait for its end. Both arguments are SQL.
 */
export function isAsynchronous(tenantId: string, jobId: string): string {
  return `(SELECT delivered_at IS NOT NULL FROM jobs WHERE tenant_id = ${tenantId} AND job_id = ${jobId})`;
}
