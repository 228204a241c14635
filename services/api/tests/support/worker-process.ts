import { workerQueueNames } from '@continuity/contract';
import { type RunningProcess, runProcess, waitUntil } from '@continuity/testing';
import type { TestService } from './service.ts';

/** Starts workers as a child process for a service without workers, and waits until the gateway reports them as ready. */
export async function startWorkerProcess(
  service: TestService,
  environment: Record<string, string> = {},
  { nodeArguments = [] }: { nodeArguments?: string[] } = {},
): Promise<RunningProcess> {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = service.settings;
  const worker = runProcess([...nodeArguments, 'services/workers/src/main.ts'], {
    DATABASE_URL: DATABASE_URL ?? '',
    QUEUE_PREFIX,
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    MEMORY_AUTO_FLUSH: 'off',
    ...environment,
  });
  await worker.waitForLine('consume their queues');
  const queues = environment['WORKER_QUEUES']?.split(',') ?? workerQueueNames;
  await waitUntil(async () => {
    const { checks } = (await service.call('get_readiness')).body;
    // Readiness lists these queues only if an embedding model or a host of External Skills is configured.
    const optional = ['memory-embed', 'external-skill-scan'];
    const shown = queues.filter((queue) => !optional.includes(queue) || `worker.${queue}` in checks);
    return shown.every((queue) => checks[`worker.${queue}`] === 'ready');
  });
  return worker;
}
