import { type Sql, statement, type TenantId } from '@continuity/kernel/database';

const deleteEnded = statement(
  'jobs_delete_ended_reports',
  `DELETE FROM jobs
   WHERE tenant_id = $1 AND queue = 'report-render' AND request ->> 'project_id' = $2 AND status NOT IN ('queued', 'running')`,
);

/** Deletes the ended report jobs of a Project. A request that still waits for one throws 404 `job_not_found`. */
export async function deleteEndedReportJobs(sql: Sql, tenantId: TenantId, projectId: string): Promise<void> {
  await sql.rows(deleteEnded, [tenantId, projectId]);
}
