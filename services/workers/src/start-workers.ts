import type { WorkerQueueName } from '@continuity/contract';
import type { Settings } from '@continuity/kernel/config';
import { checkSchema, type Database, openProcessDatabase } from '@continuity/kernel/database';
import {
  type Repetition,
  repeat,
  type Service,
  systemClock,
  type WorkerProcess,
} from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import type { Logger, Metrics } from '@continuity/kernel/telemetry';
import {
  loadSkillHosts,
  type ReadSkillsDeps,
  runImportExternalSkill,
  runListExternalSkills,
  runResolveExternalSkill,
  runScanExternalSkills,
  SkillReaders,
  TenantHosts,
} from '@continuity/shared/external-skills';
import { families } from '@continuity/shared/families';
import { runGenerate, runIncubateExperience, scheduleIncubations } from '@continuity/shared/generation';
import { runActivate, runPrepare } from '@continuity/shared/handoff/generation';
import { generationAddress, openEmbedder } from '@continuity/shared/inference';
import {
  DueScopeScheduler,
  dispatchJobs,
  type JobHandlers,
  type NewJob,
  type RunningWorker,
  startWorker,
} from '@continuity/shared/jobs';
import {
  EmbeddingWorker,
  type FlushDeps,
  runFlush,
  StatementFinder,
  scheduleDueFlushes,
  scheduleMs,
  sweepEnded,
  sweepEndedMs,
  sweepLostFlushes,
  withoutEmbedder,
} from '@continuity/shared/memory';
import { Reindexer, reindexPauseMs } from '@continuity/shared/reindex';
import { expireCodes, runReconcile } from '@continuity/shared/remote-skills';
import { activitySweepMs, sweepActivities } from '@continuity/shared/reports';
import { chooseExtractors, chooseGenerators, chooseHandoffGenerator } from './generators.ts';
import { ModelState } from './model-state.ts';

/**
 * Starts the workers. Resolves even while a store is down: the workers continue once it is back. At the close of the resources, they
 * take no more jobs and wait for running ones within the grace period. Throws `StartRefusedError` for a schema of another release
 * and for a Redis that evicts keys.
 */
export async function startWorkers(service: Service): Promise<WorkerProcess> {
  const { settings, logger, telemetry, resources } = service;
  const { metrics } = telemetry;
  const skillHosts = await loadSkillHosts(settings);
  const { database, address } = openProcessDatabase(service, 'continuity-workers');
  const stopping = new AbortController();
  const { later: failed } = await checkSchema(database, logger, stopping.signal);
  const embedding = openEmbeddingWorker(settings, database, address.directUrl, logger, metrics);
  const finder = new StatementFinder(logger);
  resources.onClose('statement finder', () => finder.close());
  const external = { hosts: new TenantHosts(skillHosts, database), readers: new SkillReaders() };
  resources.onClose('skill readers', () => external.readers.close());
  const modelState = new ModelState(generationAddress(settings) === undefined ? 'builtin' : 'model');
  const worker = await startWorker({
    database,
    store: queueStoreOf(settings, address.directUrl),
    runJob: dispatchJobs(
      handlersOf({ settings, database, logger, metrics, embedding, finder, external, modelState }),
    ),
    // A worker without an embedding model leaves those jobs to the others.
    queues: settings.WORKER_QUEUES.filter((queue) => queue !== 'memory-embed' || embedding !== null),
    hostId: external.hosts.ownHostId,
    concurrency: settings.WORKER_CONCURRENCY,
    graceMs: settings.SHUTDOWN_GRACE_MS,
    models: () => modelState.report(),
    failedRetentionDays: settings.JOB_FAILED_RETENTION_DAYS,
    logger,
    onJobEvent: (event) => metrics.recordJob(event),
  });
  resources.onClose('jobs', (graceMs) => worker.stop(graceMs), 'grace');
  if (settings.WORKER_QUEUES.includes('memory-embed') && embedding !== null) {
    embedding.start((job) => worker.queueBackground(job));
    resources.onClose('embedding', () => embedding.stop());
  }
  for (const schedule of startSchedules(settings, database, worker, logger))
    resources.onClose('schedule', () => schedule.stop());
  resources.onClose('schema check', () => stopping.abort());
  return { workerId: worker.workerId, isReady: () => worker.isReady(), failed };
}

/** Dependencies of the job handlers. */
interface HandlerParts {
  settings: Settings;
  database: Database;
  logger: Logger;
  metrics: Metrics;
  /** Null without an embedding model. */
  embedding: EmbeddingWorker | null;
  finder: StatementFinder;
  external: Pick<ReadSkillsDeps, 'hosts' | 'readers'>;
  modelState: ModelState;
}

function openEmbeddingWorker(
  settings: Settings,
  database: Database,
  databaseUrl: string,
  logger: Logger,
  metrics: Metrics,
): EmbeddingWorker | null {
  const embedder = openEmbedder(settings, metrics);
  if (embedder === undefined) return null;
  const batchSize = settings.INFERENCE_EMBEDDING_BATCH_SIZE;
  return new EmbeddingWorker({
    database,
    databaseUrl,
    logger,
    embedder,
    batchSize,
  });
}

function handlersOf({
  settings,
  database,
  logger,
  metrics,
  embedding,
  finder,
  external,
  modelState,
}: HandlerParts): JobHandlers<WorkerQueueName> {
  const flushDeps: FlushDeps = {
    database,
    logger,
    ...chooseExtractors(settings, metrics, finder, modelState),
    profile: settings.MEMORY_EXTRACTION_PROFILE,
    windowLimit: settings.MEMORY_SOURCE_WINDOW_LIMIT,
    autoFlush: settings.MEMORY_AUTO_FLUSH,
  };
  const draftDeps = {
    database,
    logger,
    generator: chooseHandoffGenerator(settings, metrics, finder, modelState),
  };
  const generating = {
    database,
    logger,
    clock: systemClock,
    families,
    ...chooseGenerators(settings, metrics, modelState),
  };
  const importing = { ...generating, ...external };
  return {
    flush_memory: (job, payload, { signal }) => runFlush(flushDeps, job, payload, signal),
    embed_memory: embedding?.run ?? withoutEmbedder(database),
    prepare_handoff: runPrepare(draftDeps),
    activate_handoff: runActivate(draftDeps),
    generate_experience: runGenerate(generating, 'experience'),
    incubate_experience: runIncubateExperience(generating),
    generate_skill: runGenerate(generating, 'skill'),
    scan_external_skills: runScanExternalSkills(importing),
    list_external_skills: runListExternalSkills(importing),
    resolve_external_skill: runResolveExternalSkill(importing),
    import_external_skill: runImportExternalSkill(importing),
    reconcile_remote_skills: runReconcile(database),
  };
}

function startSchedules(
  settings: Settings,
  database: Database,
  worker: RunningWorker,
  logger: Logger,
): Repetition[] {
  const queueBackground = (job: NewJob) => worker.queueBackground(job);
  const warn = (error: unknown) => logger.warn({ err: error }, 'scheduling background jobs failed');
  const warnOfSweep = (error: unknown) => logger.warn({ err: error }, 'the sweep for old activities failed');
  const schedules = [
    repeat(activitySweepMs, () => sweepActivities(database, settings.REPORT_ACTIVITY_DAYS), warnOfSweep),
  ];
  const incubates = settings.EXPERIENCE_INCUBATION && settings.EXPERIENCE_GENERATION;
  if (incubates && settings.WORKER_QUEUES.includes('candidate-generation')) {
    const scheduler = new DueScopeScheduler(queueBackground, database.epochs);
    const incubate = () => scheduleIncubations(database, scheduler);
    schedules.push(repeat(settings.EXPERIENCE_INCUBATION_INTERVAL_MS, incubate, warn));
  }
  if (settings.WORKER_QUEUES.includes('remote-reconcile')) {
    const warnOfExpiry = (error: unknown) =>
      logger.warn({ err: error }, 'the sweep for expired enrollment codes failed');
    schedules.push(repeat(settings.REMOTE_SWEEP_INTERVAL_MS, () => expireCodes(database), warnOfExpiry));
  }
  if (settings.WORKER_QUEUES.includes('memory-flush')) {
    const reindexer = new Reindexer({ database, logger, families });
    const reindex = async () => void (await reindexer.round());
    const warnOfReindex = (error: unknown) =>
      logger.warn({ err: error }, 'looking for what an older release has stored failed');
    schedules.push(repeat(reindexPauseMs, reindex, warnOfReindex));
    const warnOfEnded = (error: unknown) => logger.warn({ err: error }, 'the sweep for ended entries failed');
    schedules.push(repeat(sweepEndedMs, () => sweepEnded(database), warnOfEnded));
  }
  if (settings.MEMORY_AUTO_FLUSH && settings.WORKER_QUEUES.includes('memory-flush')) {
    const scheduler = new DueScopeScheduler(queueBackground, database.epochs);
    schedules.push(
      repeat(scheduleMs, () => scheduleDueFlushes(database, scheduler), warn),
      repeat(settings.MEMORY_SWEEP_INTERVAL_MS, () => sweepLostFlushes(database), warn),
    );
  }
  return schedules;
}
