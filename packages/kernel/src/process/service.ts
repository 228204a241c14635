import { loadSettings } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { startWorkerMetrics } from '../telemetry/open-metrics.ts';
import { startTelemetry } from '../telemetry/start.ts';
import { returnIdleMemory } from './liveness.ts';
import { Resources } from './resources.ts';
import { runUntilSignal } from './run.ts';

/** What every part of a service process gets from its skeleton. */
export interface Service {
  settings: Settings;
  logger: Logger;
  telemetry: Telemetry;
  /** Whoever opens a resource registers its close here. */
  resources: Resources;
  /** The database server of the settings, in a deployment with several. See `servicesOf`. */
  server?: ServerIdentity;
}

/** What a database server knows of itself in a deployment with several. */
export interface ServerIdentity {
  name: string;
  /** Name of the server that has the directory of all tenants. */
  directory: string;
}

interface ServiceOptions {
  /** Whether the process serves its metrics, also without a collector. */
  isScraped: (settings: Settings) => boolean;
}

/** A worker of one process, as `startWorkers` and `startReportWorker` return it. */
export interface WorkerProcess {
  /** Id of the process in the tables of workers and jobs. */
  workerId: string;
  isReady(): boolean;
  /** Rejects if the database answers only after the start, and has the schema of another release. */
  failed: Promise<void>;
}

/** What `start` of a service process returns. */
interface StartedService {
  /** Rejects on a failure that must end the process. */
  failed: Promise<unknown>;
  /** See `RunningProcess`. */
  drain?: () => Promise<void>;
}

/** Runs a service process: settings, log, telemetry, `start`, and the ordered stop of all resources at a signal (`runUntilSignal`). */
export async function runService(
  name: string,
  { isScraped }: ServiceOptions,
  start: (service: Service) => Promise<StartedService>,
): Promise<void> {
  await runUntilSignal(name, async () => {
    const settings = loadSettings(process.env);
    const logger = createLogger(settings, name);
    const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
    resources.onClose('idle memory', returnIdleMemory());
    const telemetry = await startTelemetry(settings, name, { logger, scraped: isScraped(settings) });
    resources.onClose('telemetry', () => telemetry.shutdown());
    return { resources, logger, ...(await start({ settings, logger, telemetry, resources })) };
  });
}

/** Serves the metrics of a process that is no gateway. Returns the address, or undefined if `WORKER_METRICS_PORT` is not set. */
export async function serveMetrics({
  settings,
  telemetry,
  logger,
  resources,
}: Service): Promise<string | undefined> {
  const server = await startWorkerMetrics(settings, telemetry, logger);
  resources.onClose('metrics server', () => server?.stop());
  return server?.url;
}
