import { setPriority } from 'node:os';
import { reportReady, runService, StartRefusedError, serveMetrics } from '@continuity/kernel/process';
import { startEmbedder } from './start-embedder.ts';

/** Niceness of the process: requests and their statements come first where processors are short. */
const niceness = 5;

await runService(
  'continuity-embedder',
  { isScraped: ({ WORKER_METRICS_PORT: port }) => port !== undefined },
  async (service) => {
    lowerPriority();
    const metricsUrl = await serveMetrics(service);
    const url = await startEmbedder(service).catch((error: unknown) => {
      if (!(error instanceof StartRefusedError)) throw error;
      throw new StartRefusedError(`${error.message} Without the embedder, search is by words.`);
    });
    service.logger.info({ url, metrics_url: metricsUrl }, 'the embedder listens');
    reportReady(url);
    return { failed: Promise.resolve() };
  },
);

/** Only root may raise a priority, such as that of a process that was started with `nice`; a sandbox may forbid the call. */
function lowerPriority(): void {
  try {
    setPriority(niceness);
  } catch {}
}
