import {
  createLogger,
  loadSettings,
  reportReady,
  returnIdleMemory,
  runUntilSignal,
  startTelemetry,
  touchWhileAlive,
} from '@continuity/shared/kernel';
import { startWorkers } from './start-workers.ts';

await runUntilSignal('continuity-workers', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-workers');
  returnIdleMemory();
  const telemetry = await startTelemetry(settings, 'continuity-workers', { logger });
  const workers = await startWorkers(settings, logger, telemetry);
  logger.info('the workers consume their queues');
  reportReady(null);
  const stopTouching = touchWhileAlive(settings.LIVENESS_FILE);
  const stop = async () => {
    await workers.stop();
    stopTouching();
    await telemetry.shutdown();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger, failed: workers.failed };
});
