import { workerQueueNames } from '@continuity/contract';
import { type RunningProcess, runProcess, waitUntil } from '@continuity/testing';
import type { TestService } from './service.ts';

interface ProcessOptions {
  nodeArguments?: string[];
}

/** Runs workers as a child process for a service without workers. Does not wait until they have started. */
export function runWorkerProcess(
  service: TestService,
  environment: Record<string, string> = {},
  { nodeArguments = [] }: ProcessOptions = {},
): RunningProcess {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = service.settings;
  return runProcess([...nodeArguments, 'dist/workers.mjs'], {
    DATABASE_URL: DATABASE_URL ?? '',
    QUEUE_PREFIX,
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    MEMORY_AUTO_FLUSH: 'off',
    ...environment,
  });
}

/** Waits until a worker process consumes its queues. Returns its id in the tables of workers and jobs. */
export async function workerIdOf(worker: RunningProcess): Promise<string> {
  const line = await worker.waitForLine('consumes its queues');
  return (JSON.parse(line) as { worker_id: string }).worker_id;
}

/** Starts workers as a child process for a service without workers, and waits until the gateway reports them as ready. */
export async function startWorkerProcess(
  service: TestService,
  environment: Record<string, string> = {},
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const worker = runWorkerProcess(service, environment, options);
  await workerIdOf(worker);
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
