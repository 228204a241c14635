import {
  createLogger,
  loadSettings,
  reportReady,
  runUntilSignal,
  startTelemetry,
} from '@continuity/shared/kernel';
import { startWorkers } from './start-workers.ts';

await runUntilSignal('continuity-workers', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-workers');
  const telemetry = await startTelemetry(settings, 'continuity-workers', { logger });
  const workers = await startWorkers(settings, logger, telemetry);
  logger.info('the workers consume their queues');
  reportReady(null);
  const stop = async () => {
    await workers.stop();
    await telemetry.shutdown();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger };
});
