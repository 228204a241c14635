import { type Gateway, startGateway } from '@continuity/api';
import { loadSettings, type Settings } from '@continuity/kernel/config';
import { type Clock, Resources } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { startReportWorker } from '@continuity/reports';
import { type Client, clientFor, createDatabase, queueEnvironment, waitUntil } from '@continuity/testing';
import { startWorkers } from '@continuity/workers';

/** A running service with its own database, and a client of it. */
export interface TestService extends Client {
  url: string;
  /** Listener of `METRICS_PORT`; undefined without one. */
  metricsUrl: string | undefined;
  databaseUrl: string;
  settings: Settings;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  environment?: Record<string, string>;
  /** Also starts workers and a report worker in this process. Default false. */
  workers?: boolean;
  /** Clock of the gateway, for tests that change the time. */
  clock?: Clock;
  /** A reader that takes no byte of its answer for so long is cut off. Default 30 s. */
  readerTimeoutMs?: number;
  /** Receives the log lines instead of standard output. */
  logs?: { write(line: string): void };
}

/** Starts the service with the settings of `environment`, on the queue backend of this test project. */
export async function startService({
  environment = {},
  workers = false,
  clock,
  logs,
  readerTimeoutMs,
}: ServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase();
  const settings = loadSettings({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    // A job may take long on a busy machine. A test of the wait sets its own.
    JOB_WAIT_MS: '120000',
    DATABASE_URL: database.url,
    ...queueEnvironment(),
    ...environment,
  });
  const logger = createLogger(settings, 'test', logs);
  const telemetry = await startTelemetry(settings, 'continuity', { logger, scraped: true });
  const openResources = () => new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
  const resources = openResources();
  const shared = { settings, logger, telemetry };
  // In processes of their own, workers stop after the gateway.
  const workerResources = [openResources(), openResources()] as const;
  const gateway = await startGateway(
    { ...shared, resources },
    { ...(clock && { clock }), ...(readerTimeoutMs !== undefined && { readerTimeoutMs }) },
  );
  await gateway.ready;
  if (workers) {
    await Promise.all([
      startWorkers({ ...shared, resources: workerResources[0] }),
      startReportWorker({ ...shared, resources: workerResources[1] }),
    ]);
  }
  if (workers) await waitUntil(() => allWorkersSeen(gateway.url));
  return {
    ...clientFor(gateway.url),
    url: gateway.url,
    metricsUrl: gateway.metricsUrl,
    databaseUrl: database.url,
    settings,
    stop: async () => {
      await resources.close();
      await Promise.all(workerResources.map((one) => one.close()));
      await telemetry.shutdown();
      await database.drop();
    },
  };
}

/** Starts a second gateway of the same deployment. */
export async function startSecondGateway({
  settings,
}: TestService): Promise<Client & { url: string; stop(): Promise<void> }> {
  const gateway = await startTestGateway(settings);
  await gateway.ready;
  return { ...clientFor(gateway.url), url: gateway.url, stop: () => gateway.stop() };
}

/** Starts workers of the same deployment in this process, with some settings of their own. */
export async function startTestWorkers(
  { settings: shared }: TestService,
  own: Partial<Settings>,
): Promise<{ stop(): Promise<void> }> {
  const settings = { ...shared, ...own };
  const logger = createLogger(settings, 'test');
  const telemetry = await startTelemetry(settings, 'continuity', { logger });
  const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
  resources.onClose('telemetry', () => telemetry.shutdown());
  await startWorkers({ settings, logger, telemetry, resources });
  return { stop: () => resources.close() };
}

/** Starts a gateway without workers, and does not wait until it is ready. `stop` also stops its telemetry. */
export async function startTestGateway(settings: Settings): Promise<Gateway & { stop(): Promise<void> }> {
  const logger = createLogger(settings, 'test');
  const telemetry = await startTelemetry(settings, 'continuity', { logger, scraped: true });
  const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
  resources.onClose('telemetry', () => telemetry.shutdown());
  const gateway = await startGateway({ settings, logger, telemetry, resources });
  return { ...gateway, stop: () => resources.close() };
}

async function allWorkersSeen(url: string): Promise<boolean> {
  const { checks } = (await clientFor(url).call('get_readiness')).body;
  // A test may configure a model that does not answer.
  return Object.entries(checks).every(([name, check]) => name.startsWith('inference.') || check === 'ready');
}
