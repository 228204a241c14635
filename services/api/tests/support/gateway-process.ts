import { type Client, clientFor, type RunningProcess, runProcess } from '@continuity/testing';
import type { TestService } from './service.ts';

/** Starts another gateway of a service as a child process, so that a test can kill it. */
export async function startGatewayProcess(
  service: TestService,
  environment: Record<string, string> = {},
  { nodeArguments = [] }: { nodeArguments?: string[] } = {},
): Promise<RunningProcess & { client: Client; url: string }> {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = service.settings;
  const gateway = runProcess([...nodeArguments, 'dist/api.mjs'], {
    PORT: '0',
    DATABASE_URL: DATABASE_URL ?? '',
    QUEUE_PREFIX,
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    ...environment,
  });
  const line = await gateway.waitForLine('the gateway listens');
  const { url } = JSON.parse(line) as { url: string };
  await gateway.waitForHttp(`${url}/health/ready`);
  return { ...gateway, client: clientFor(url), url };
}
