import { type RunningProcess, runProcess, waitUntil } from '@continuity/testing';
import type { TestService } from './service.ts';

/** Starts a report worker as a child process for a service without workers, and waits until the gateway reports it as ready. */
export async function startReportWorkerProcess(
  service: TestService,
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = service.settings;
  const worker = runProcess(['dist/reports.mjs'], {
    DATABASE_URL: DATABASE_URL ?? '',
    QUEUE_PREFIX,
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    ...environment,
  });
  await worker.waitForLine('consumes its queues');
  await waitUntil(async () => {
    const { checks } = (await service.call('get_readiness')).body;
    return checks['worker.report-render'] === 'ready';
  });
  return worker;
}
