import { setFlagsFromString } from 'node:v8';
import { loadSettings } from '@continuity/kernel/config';
import { reportReady, returnIdleMemory, runUntilSignal, touchWhileAlive } from '@continuity/kernel/process';
import { createLogger, startTelemetry, startWorkerMetrics } from '@continuity/kernel/telemetry';
import { startReportWorker } from './start-report-worker.ts';

// A rendering allocates much and keeps little. V8 would otherwise grow the space for new objects by tens of megabytes.
setFlagsFromString('--semi-space-growth-factor=1');

await runUntilSignal('continuity-reports', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-reports');
  returnIdleMemory();
  const telemetry = await startTelemetry(settings, 'continuity-reports', {
    logger,
    scraped: settings.WORKER_METRICS_PORT !== undefined,
  });
  const metricsServer = await startWorkerMetrics(settings, telemetry, logger);
  const worker = await startReportWorker(settings, logger, telemetry);
  const { workerId } = worker;
  logger.info(
    { worker_id: workerId, metrics_url: metricsServer?.url },
    'the report worker consumes its queue',
  );
  reportReady(null);
  const stopTouching = touchWhileAlive(settings.LIVENESS_FILE, logger);
  const stop = async () => {
    await worker.stop();
    stopTouching();
    await metricsServer?.stop();
    await telemetry.shutdown();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger, failed: worker.failed };
});
