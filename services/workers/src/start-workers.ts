import { runActivate, runPrepare } from '@continuity/shared/handoff/generation';
import { byOperation, type JobHandlers, type RunningWorker, startWorker } from '@continuity/shared/jobs';
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
import { chooseHandoffGenerator } from './handoff-generator.ts';

/** The workers of one process. */
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
    queues: settings.WORKER_QUEUES,
    concurrency: settings.WORKER_CONCURRENCY,
    graceMs: settings.SHUTDOWN_GRACE_MS,
    logger,
    onJobEvent: (event) => metrics.job(event),
  });
  const mayFlush = settings.MEMORY_AUTO_FLUSH && settings.WORKER_QUEUES.includes('memory-flush');
  const schedules = mayFlush ? startSchedules(settings, database, worker, logger) : [];
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
  const drafting = { database, logger, generator: chooseHandoffGenerator(settings, metrics) };
  return {
    'memory-flush': (job, { signal }) => runFlush(flushing, job, signal),
    'candidate-generation': byOperation({
      prepare_handoff: runPrepare(drafting),
      activate_handoff: runActivate(drafting),
    }),
  };
}

function startSchedules(settings: Settings, database: Database, worker: RunningWorker, logger: Logger) {
  const warn = (error: unknown) => logger.warn({ err: error }, 'scheduling background flushes failed');
  return [
    repeat(scheduleMs, () => scheduleDueFlushes(database, (job) => worker.queueBackground(job)), warn),
    repeat(settings.MEMORY_SWEEP_INTERVAL_MS, () => sweepForgottenFlushes(database), warn),
  ];
}
