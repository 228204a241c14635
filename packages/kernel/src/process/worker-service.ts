import type { Settings } from '../config/settings.ts';
import { touchWhileAlive } from './liveness.ts';
import { reportReady } from './run.ts';
import { startOnServers } from './servers.ts';
import { runService, type Service, serveMetrics, type WorkerProcess } from './service.ts';

/** Runs a worker process: `runService` with the metrics port, the liveness file and the ready message that all workers have. */
export async function runWorkerService(
  name: string,
  start: (service: Service) => Promise<WorkerProcess>,
): Promise<void> {
  const isScraped = (settings: Settings) => settings.WORKER_METRICS_PORT !== undefined;
  await runService(name, { isScraped }, async (service) => {
    const { settings, logger, resources } = service;
    resources.onClose('liveness file', touchWhileAlive(settings.LIVENESS_FILE, logger));
    const metricsUrl = await serveMetrics(service);
    const { workerId, failed } = await startOnServers(service, start);
    logger.info({ worker_id: workerId, metrics_url: metricsUrl }, 'the worker consumes its queues');
    reportReady(null);
    return { failed };
  });
}
