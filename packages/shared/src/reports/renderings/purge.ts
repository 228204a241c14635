import type { Sql, TenantId } from '@continuity/kernel/database';
import { deleteEndedReportJobs } from '../../jobs/index.ts';
import { deleteRenderings } from './store.ts';

/**
 * Deletes all renderings of a Project and its ended report jobs (spec 30 §4.7.5). Call it in the transaction of a purge, after the
 * statement that raises `purge_count`: its row lock orders the purge and the reports that end at the same time.
 */
export async function deleteReports(sql: Sql, tenantId: TenantId, projectId: string): Promise<void> {
  await Promise.all([
    deleteRenderings(sql, tenantId, projectId),
    deleteEndedReportJobs(sql, tenantId, projectId),
  ]);
}
