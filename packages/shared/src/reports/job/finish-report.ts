import {
  type Database,
  pick,
  type Sql,
  statement,
  type TenantId,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import { type ClaimedJob, commitFinishedJob } from '../../jobs/index.ts';
import {
  findRendering,
  insertRendering,
  keepRendering,
  limitRenderings,
  type NewRendering,
  type RenderingKey,
  retireExpiredRendering,
} from '../renderings/store.ts';
import type { MadeReport } from './make-report.ts';
import type { ReportLimits, ReportOrder } from './report-deps.ts';

/** Thrown if a purge has committed since the snapshot. The caller makes the report again. */
class StaleReportError extends Error {}

/** Waits for a running purge, and makes later ones wait for this transaction. */
const lockPurges = statement(
  'lock_report_purges',
  'SELECT purge_count FROM report_activity_sequences WHERE tenant_id = $1 AND project_id = $2 FOR SHARE',
  pick(tables.report_activity_sequences, 'purge_count'),
);

/**
 * Stores the rendering and ends the job with it, in one transaction (spec 30 §4.7, §4.12.4). False if the report is stale.
 * Throws `JobLostError` if the job belongs to another run.
 */
export async function finishReport(
  database: Database,
  job: ClaimedJob,
  order: ReportOrder,
  made: MadeReport,
  limits: ReportLimits,
): Promise<boolean> {
  try {
    await database.transaction(async (sql) => {
      const rendering_id = await storeReport(sql, job, order, made, limits);
      await commitFinishedJob(sql, job, { rendering_id });
    });
    return true;
  } catch (error) {
    if (error instanceof StaleReportError) return false;
    throw error;
  }
}

async function storeReport(
  sql: Transaction,
  job: ClaimedJob,
  { tenantId, form }: ReportOrder,
  made: MadeReport,
  limits: ReportLimits,
): Promise<string> {
  const { rendering, locale, selectionDigest, exactSelectionDigest, project } = made;
  if ('storedId' in rendering) {
    await requireNoPurge(sql, tenantId, project);
    if (!(await keepRendering(sql, job, rendering.storedId))) throw new StaleReportError();
    return rendering.storedId;
  }
  const added: NewRendering = {
    tenantId,
    jobId: job.jobId,
    selectionDigest,
    exactSelectionDigest,
    form,
    locale,
    projectId: project?.projectId ?? null,
    ...rendering,
    isReusable: rendering.isReusable && limits.renderingTtlMs > 0,
  };
  // The slow insert comes before the lock, for which recorded activities wait.
  const [inserted] = await Promise.all([
    insertRendering(sql, added),
    requireNoPurge(sql, tenantId, project),
    limitRenderings(sql, tenantId, limits.renderingBytes),
  ]);
  return inserted ?? (await replaceOrKeep(sql, added, limits));
}

/** Answers with the stored rendering of the key if it is still reusable, else replaces it with the added one. */
async function replaceOrKeep(
  sql: Sql,
  added: NewRendering,
  { renderingTtlMs, renderingBytes }: ReportLimits,
): Promise<string> {
  const key: RenderingKey = added;
  await retireExpiredRendering(sql, key, renderingTtlMs);
  const first = await findRendering(sql, key, renderingTtlMs);
  if (first !== undefined && (await keepRendering(sql, added, first.renderingId))) {
    return first.renderingId;
  }
  const inserted = await insertRendering(sql, added);
  if (inserted === undefined) throw new StaleReportError();
  await limitRenderings(sql, added.tenantId, renderingBytes);
  return inserted;
}

async function requireNoPurge(sql: Sql, tenantId: TenantId, project: MadeReport['project']): Promise<void> {
  if (project === null) return;
  const row = await sql.first(lockPurges, [tenantId, project.projectId]);
  if (row !== undefined && row.purge_count !== project.purgeCount) throw new StaleReportError();
}
