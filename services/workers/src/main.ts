import { createLogger, loadSettings, runUntilSignal } from '@continuity/shared/kernel';
import { startWorkers } from './start-workers.ts';

await runUntilSignal('continuity-workers', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-workers');
  const workers = await startWorkers(settings, logger);
  logger.info('the workers take jobs');
  return { stop: () => workers.stop(), graceMs: settings.SHUTDOWN_GRACE_MS, logger };
});
