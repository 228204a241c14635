import { createLogger, loadSettings, runUntilSignal } from '@continuity/shared/kernel';
import { startGateway } from './gateway.ts';

await runUntilSignal('continuity-api', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-api');
  const gateway = await startGateway(settings, logger);
  logger.info({ url: gateway.url }, 'the gateway listens');
  return { stop: () => gateway.stop(), graceMs: settings.SHUTDOWN_GRACE_MS, logger, failed: gateway.ready };
});
