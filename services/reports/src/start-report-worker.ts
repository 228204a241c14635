import { reportQueue } from '@continuity/contract';
import type { Settings } from '@continuity/kernel/config';
import { checkSchema, openProcessDatabase } from '@continuity/kernel/database';
import { repeat, type Service, type WorkerProcess } from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import { dispatchJobs, type JobHandlers, startWorker } from '@continuity/shared/jobs';
import { type ReportDeps, runGetReport, runViewReport, sweepRenderings } from '@continuity/shared/reports';

/** Interval of the sweep for renderings that nothing needs, in milliseconds. */
const sweepMs = 60_000;

/**
 * Starts a worker of the report queue. Resolves even while a store is down. At the close of the resources, it takes no more jobs and
 * waits for running ones within the grace period. Throws `StartRefusedError` for a schema of another release and for a Redis that
 * evicts keys.
 */
export async function startReportWorker(service: Service): Promise<WorkerProcess> {
  const { settings, logger, telemetry, resources } = service;
  const { database, address } = openProcessDatabase(service, 'continuity-reports');
  const stopping = new AbortController();
  const { later: failed } = await checkSchema(database, logger, stopping.signal);
  const deps: ReportDeps = { database, limits: limitsOf(settings) };
  const handlers: JobHandlers<typeof reportQueue> = {
    get_handoff_report: runGetReport(deps),
    view_handoff_report: runViewReport(deps),
  };
  const worker = await startWorker({
    database,
    store: queueStoreOf(settings, address.directUrl),
    runJob: dispatchJobs(handlers),
    queues: [reportQueue],
    concurrency: settings.REPORT_CONCURRENCY,
    graceMs: settings.SHUTDOWN_GRACE_MS,
    failedRetentionDays: settings.JOB_FAILED_RETENTION_DAYS,
    logger,
    onJobEvent: (event) => telemetry.metrics.recordJob(event),
  });
  resources.onClose('jobs', (graceMs) => worker.stop(graceMs), 'grace');
  const sweeps = repeat(
    sweepMs,
    () => sweepRenderings(database.sql, settings.REPORT_RENDERING_TTL_MS),
    (error) => logger.warn({ err: error }, 'the sweep for old renderings failed'),
  );
  resources.onClose('sweep', () => sweeps.stop());
  resources.onClose('schema check', () => stopping.abort());
  return { workerId: worker.workerId, isReady: () => worker.isReady(), failed };
}

function limitsOf(settings: Settings): ReportDeps['limits'] {
  return {
    outputBytes: settings.REPORT_OUTPUT_LIMIT_BYTES,
    maxScopes: settings.REPORT_MAX_SCOPES,
    evidenceBudgetMs: settings.REPORT_EVIDENCE_BUDGET_MS,
    renderingTtlMs: settings.REPORT_RENDERING_TTL_MS,
    renderingBytes: settings.REPORT_RENDERING_BYTES,
  };
}
