import { type JobHandlers, type RunningWorker, startWorker } from '@continuity/shared/jobs';
import {
  type Database,
  type Logger,
  type Metrics,
  openDatabase,
  repeat,
  requireDatabaseUrl,
  type Settings,
  type Telemetry,
} from '@continuity/shared/kernel';
import { queueStoreOf } from '@continuity/shared/kernel/queue';
import {
  type Flushing,
  runFlush,
  scheduleDueFlushes,
  scheduleMs,
  sweepForgottenFlushes,
} from '@continuity/shared/memory';
import { chooseExtractors } from './extractors.ts';

/** Workers of every queue in one process. */
export interface Workers {
  isReady(): boolean;
  /** Takes nothing more, lets running jobs end, then closes what was opened. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts the workers. Resolves also while a store is down; they go on when it is back. */
export async function startWorkers(
  settings: Settings,
  logger: Logger,
  { metrics }: Telemetry,
): Promise<Workers> {
  const url = requireDatabaseUrl(settings);
  const database = openDatabase({
    url,
    size: settings.DATABASE_POOL_SIZE,
    name: 'continuity-workers',
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  const stopWatching = metrics.watchPool(database.pool);
  const worker = await startWorker({
    database,
    store: queueStoreOf(settings, url),
    handlers: handlersOf(settings, database, logger, metrics),
    concurrency: settings.WORKER_CONCURRENCY,
    graceMs: settings.SHUTDOWN_GRACE_MS,
    logger,
    onJobEvent: (event) => metrics.job(event),
  });
  const schedules = settings.MEMORY_AUTO_FLUSH ? startSchedules(settings, database, worker, logger) : [];
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    await worker.stop();
    stopWatching();
    await database.close();
  };
  return {
    isReady: () => worker.isReady(),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function handlersOf(settings: Settings, database: Database, logger: Logger, metrics: Metrics): JobHandlers {
  const flushing: Flushing = {
    database,
    logger,
    ...chooseExtractors(settings, metrics),
    profile: settings.MEMORY_EXTRACTION_PROFILE,
    windowLimit: settings.MEMORY_SOURCE_WINDOW_LIMIT,
    autoFlush: settings.MEMORY_AUTO_FLUSH,
  };
  return { 'memory-flush': (job, { signal }) => runFlush(flushing, job, signal) };
}

function startSchedules(settings: Settings, database: Database, worker: RunningWorker, logger: Logger) {
  const warn = (error: unknown) => logger.warn({ err: error }, 'scheduling background flushes failed');
  return [
    repeat(scheduleMs, () => scheduleDueFlushes(database, (job) => worker.queueBackground(job)), warn),
    repeat(settings.MEMORY_SWEEP_INTERVAL_MS, () => sweepForgottenFlushes(database), warn),
  ];
}
