import { reportQueue } from '@continuity/contract';
import type { Settings } from '@continuity/kernel/config';
import { checkSchema, databaseAddressOf, openDatabase } from '@continuity/kernel/database';
import { repeat } from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import type { Logger, Telemetry } from '@continuity/kernel/telemetry';
import { dispatchJobs, type JobHandlers, startWorker } from '@continuity/shared/jobs';
import { type ReportDeps, runGetReport, runViewReport, sweepRenderings } from '@continuity/shared/reports';

/** The report worker of one process. */
interface ReportWorker {
  /** Id of the process in the tables of workers and jobs. */
  workerId: string;
  isReady(): boolean;
  /** Rejects if the database answers only after the start, and has the schema of another release. */
  failed: Promise<void>;
  /**
   * Takes no more jobs, waits for running jobs within the grace period (or the milliseconds left of it), then closes all
   * connections. Idempotent.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Interval of the sweep for renderings that nothing needs, in milliseconds. */
const sweepMs = 60_000;

/**
 * Starts a worker of the report queue. Resolves even while a store is down. Throws `StartRefusedError` for a schema of another release
 * and for a Redis that evicts keys.
 */
export async function startReportWorker(
  settings: Settings,
  logger: Logger,
  { metrics }: Pick<Telemetry, 'metrics'>,
): Promise<ReportWorker> {
  const address = databaseAddressOf(settings);
  const database = openDatabase({
    ...address,
    size: settings.DATABASE_POOL_SIZE,
    name: 'continuity-reports',
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  const stopping = new AbortController();
  const { later: failed } = await checkSchema(database, logger, stopping.signal);
  const stopWatching = [metrics.watchPool(database.pool), metrics.watchPool(database.prismaPool)];
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
    onJobEvent: (event) => metrics.recordJob(event),
  });
  const sweeps = repeat(
    sweepMs,
    () => sweepRenderings(database.sql, settings.REPORT_RENDERING_TTL_MS),
    (error) => logger.warn({ err: error }, 'the sweep for old renderings failed'),
  );
  let stopped: Promise<void> | undefined;
  const stop = async (graceMs?: number) => {
    await sweeps.stop();
    await worker.stop(graceMs);
    for (const unwatch of stopWatching) unwatch();
    await database.close();
  };
  return {
    workerId: worker.workerId,
    isReady: () => worker.isReady(),
    failed,
    stop: (graceMs) => {
      stopping.abort();
      stopped ??= stop(graceMs);
      return stopped;
    },
  };
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
