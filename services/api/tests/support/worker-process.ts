import { queueNames } from '@continuity/contract';
import { type RunningProcess, runProcess, waitUntil } from '@continuity/testing';
import type { TestService } from './service.ts';

/** Starts workers as a process of their own beside a service that has none, and waits until the gateway sees them. */
export async function startWorkerProcess(
  service: TestService,
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = service.settings;
  const worker = runProcess(['services/workers/src/main.ts'], {
    DATABASE_URL: DATABASE_URL ?? '',
    QUEUE_PREFIX,
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    MEMORY_AUTO_FLUSH: 'off',
    ...environment,
  });
  await worker.waitForLine('take jobs');
  const queues = environment['WORKER_QUEUES']?.split(',') ?? queueNames;
  await waitUntil(async () => {
    const { checks } = (await service.call('get_readiness')).body;
    // The queue of embeddings shows only where they are configured.
    const shown = queues.filter((queue) => queue !== 'memory-embed' || `worker.${queue}` in checks);
    return shown.every((queue) => checks[`worker.${queue}`] === 'ready');
  });
  return worker;
}
