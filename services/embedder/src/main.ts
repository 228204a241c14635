import { getPriority, setPriority } from 'node:os';
import { reportReady, runService, StartRefusedError, serveMetrics } from '@continuity/kernel/process';
import { startEmbedder } from './start-embedder.ts';

/** Added to the niceness of the process: requests and their statements come first where processors are short. */
const addedNiceness = 10;

/** The lowest priority that systems have. */
const maxNiceness = 19;

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

/** Relative, so that it is below the gateway's also where all were started with `nice`. A sandbox may forbid the call. */
function lowerPriority(): void {
  try {
    setPriority(Math.min(getPriority() + addedNiceness, maxNiceness));
  } catch {}
}
