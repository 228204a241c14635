import { loadSettings } from '@continuity/kernel/config';
import { reportReady, returnIdleMemory, runUntilSignal, touchWhileAlive } from '@continuity/kernel/process';
import { createLogger, startTelemetry, startWorkerMetrics } from '@continuity/kernel/telemetry';
import { startWorkers } from './start-workers.ts';

await runUntilSignal('continuity-workers', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-workers');
  returnIdleMemory();
  const telemetry = await startTelemetry(settings, 'continuity-workers', {
    logger,
    scraped: settings.WORKER_METRICS_PORT !== undefined,
  });
  const metricsServer = await startWorkerMetrics(settings, telemetry, logger);
  const workers = await startWorkers(settings, logger, telemetry);
  const { workerId } = workers;
  logger.info({ worker_id: workerId, metrics_url: metricsServer?.url }, 'the workers consume their queues');
  reportReady(null);
  const stopTouching = touchWhileAlive(settings.LIVENESS_FILE, logger);
  const stop = async () => {
    await workers.stop();
    stopTouching();
    await metricsServer?.stop();
    await telemetry.shutdown();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger, failed: workers.failed };
});
