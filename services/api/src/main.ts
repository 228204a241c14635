import { reportReady, runService } from '@continuity/kernel/process';
import { lowerGarbageCollectionPriority } from '@continuity/kernel/threads';
import { startGateway } from './gateway.ts';

await runService('continuity-api', { isScraped: () => true }, async (service) => {
  lowerGarbageCollectionPriority();
  const { url, metricsUrl, ready, drain } = await startGateway(service);
  service.logger.info({ url, metrics_url: metricsUrl }, 'the gateway listens');
  return { failed: ready.then(() => reportReady(url)), drain };
});
