import { loadSettings } from '@continuity/kernel/config';
import { reportReady, returnIdleMemory, runUntilSignal } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { lowerGarbageCollectionPriority } from '@continuity/kernel/threads';
import { startGateway } from './gateway.ts';

await runUntilSignal('continuity-api', async () => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'continuity-api');
  returnIdleMemory();
  lowerGarbageCollectionPriority();
  const telemetry = await startTelemetry(settings, 'continuity-api', { logger, scraped: true });
  const gateway = await startGateway({ settings, logger, telemetry });
  logger.info({ url: gateway.url, metrics_url: gateway.metricsUrl }, 'the gateway listens');
  const ready = gateway.ready.then(() => reportReady(gateway.url));
  const stop = async () => {
    await gateway.stop();
    await telemetry.shutdown();
  };
  return { stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger, failed: ready };
});
