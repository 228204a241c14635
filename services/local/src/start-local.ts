import { availableParallelism } from 'node:os';
import { databaseAddressSettings, requireDataDirectory, type Settings } from '@continuity/kernel/config';
import { Resources } from '@continuity/kernel/process';
import { createLogger, type Logger } from '@continuity/kernel/telemetry';
import { startDatabase } from './database.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { localEmbedder } from './embedder.ts';
import { ServiceProcess } from './service-process.ts';
import { waitForWorkers } from './wait-for-workers.ts';

/** Requests come before jobs where both share the processors of one machine. */
const workerNiceness = 10;

/** Time of a service process for its last connections, beyond the grace period, in milliseconds. */
const processEndMs = 6_000;

/** Time limit of a clean stop of PostgreSQL, in milliseconds. */
const serverStopMs = 10_000;

/** The whole service on one machine. */
interface LocalService {
  url: string;
  logger: Logger;
  /** Makes the gateway read its tokens file again. */
  reloadTokens(): void;
  resources: Resources;
}

/**
 * Starts the database, the embedder, the gateway, the workers and the report worker, each as a process of its own. Resolves when the gateway serves
 * requests and sees the workers, or 30 s after it serves. `environment` goes to the processes.
 */
export async function startLocal(settings: Settings, environment: NodeJS.ProcessEnv): Promise<LocalService> {
  const logger = createLogger(settings, 'continuity');
  // The gateway, then the workers, then PostgreSQL.
  const closingMs = 2 * processEndMs + serverStopMs;
  const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS, closingMs });
  try {
    const lock = await lockData(settings, logger);
    resources.onClose('lock of the data', () => lock?.release());
    const ownEnvironment = {
      ...environment,
      // All workers would listen on the same port.
      WORKER_METRICS_PORT: undefined,
      ...Object.fromEntries(databaseAddressSettings.map((name) => [name, undefined])),
      // The gateway and then the workers stop within the limit for both.
      SHUTDOWN_GRACE_MS: String(Math.ceil(settings.SHUTDOWN_GRACE_MS / 2)),
    };
    const embedder = localEmbedder(settings, ownEnvironment, logger);
    resources.onClose('embedder', () => embedder?.stop());
    const [embedderUrl, database] = await Promise.all([embedder?.start(), startDatabase(settings, logger)]);
    resources.onClose('database', () => database.stop(), serverStopMs);
    const serviceEnvironment = {
      ...ownEnvironment,
      DATABASE_URL: database.url,
      ...(embedderUrl !== undefined && { EMBEDDER_URL: embedderUrl }),
      ...(embedder !== undefined && embedderUrl === undefined && { EMBEDDER_FAILED: 'on' }),
    };
    const options = { environment: serviceEnvironment, logger };
    const workers = new ServiceProcess({
      ...options,
      environment: { WORKER_CONCURRENCY: String(workerConcurrency(settings)), ...serviceEnvironment },
      program: 'dist/workers.mjs',
      niceness: workerNiceness,
    });
    const reports = new ServiceProcess({ ...options, program: 'dist/reports.mjs' });
    const gateway = new ServiceProcess({ ...options, program: 'dist/api.mjs' });
    const limitMs = settings.SHUTDOWN_GRACE_MS / 2 + processEndMs;
    // The gateway stops before the workers that its requests wait for.
    resources.onClose('workers', () => Promise.all([workers.stop(), reports.stop()]), limitMs);
    resources.onClose('gateway', () => gateway.stop(), limitMs);
    resources.onClose('announcement', () => lock?.announceRelease());
    const [url] = await Promise.all([gateway.start(), workers.start(), reports.start()]);
    if (url === null) throw new Error('The gateway reported no address.');
    const missing = await waitForWorkers(url);
    if (missing.length > 0)
      logger.warn({ missing }, 'some workers have not started yet; their operations are 503 until then');
    return { url, logger, reloadTokens: () => gateway.reloadTokens(), resources };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

/** Locks the data directory, so that one service at a time starts a server in it. `DATABASE_URL` needs no lock. */
async function lockData(settings: Settings, logger: Logger): Promise<DirectoryLock | undefined> {
  if (settings.DATABASE_URL !== undefined) return undefined;
  return await lockDirectory(requireDataDirectory(settings), {
    waitMs: settings.SHUTDOWN_GRACE_MS,
    onWait: (pid) => logger.warn({ pid }, 'waiting for the service that is stopping on the same data'),
  });
}

/** Concurrent jobs if they wait for a model. Without a model, the upper limit. */
const maxConcurrency = 8;

/**
 * Concurrent jobs of the workers for each queue, unless `WORKER_CONCURRENCY` is set. Without a model, jobs take processor time in the
 * worker and in PostgreSQL, so they get half of the processors and leave the others to requests.
 */
export function workerConcurrency(
  { INFERENCE_GENERATION_MODEL: generates, INFERENCE_EMBEDDING_MODEL: embeds }: Settings,
  processors: number = availableParallelism(),
): number {
  if (generates !== undefined || embeds !== undefined) return maxConcurrency;
  return Math.min(maxConcurrency, Math.max(1, Math.floor(processors / 2)));
}
