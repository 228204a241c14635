import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, clientFor, type RunningProcess, runProcess, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll } from 'vitest';

/** A new data directory, which the account of PostgreSQL can enter. Of root's own directories it can enter none. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-local-'));
  await chmod(directory, 0o755);
  return directory;
}

/** Registers the hooks of a file whose tests share a data directory. Read `dataDirectory` in hooks and tests only. */
export function shareDataDirectory(): { readonly dataDirectory: string } {
  let dataDirectory: string;
  beforeAll(async () => {
    dataDirectory = await makeDataDirectory();
  });
  afterAll(() => rm(dataDirectory, { recursive: true, force: true }));
  return {
    get dataDirectory() {
      return dataDirectory;
    },
  };
}

/** Runs the all-in-one service on a data directory. Does not wait until it has started. */
export const runLocal = (directory: string, environment: Record<string, string> = {}): RunningProcess =>
  runProcess(['dist/local.mjs'], { DATA_DIR: directory, PORT: '0', EMBEDDER: 'off', ...environment });

/** Starts the all-in-one service on a data directory, and waits until it is ready. */
export async function startLocal(
  directory: string,
  environment: Record<string, string> = {},
): Promise<{ service: RunningProcess; client: Client }> {
  const service = runLocal(directory, environment);
  const line = await service.waitForLine('runs on');
  const client = clientFor(line.slice(line.indexOf('http')).trim());
  // Nothing that needs a worker is 503 after the banner.
  const { checks } = (await client.call('get_readiness')).body;
  const workers = Object.entries(checks).filter(([name]) => name.startsWith('worker.'));
  const behind = workers.filter(([, state]) => state !== 'ready');
  if (behind.length > 0) throw new Error(`Not ready after the banner: ${JSON.stringify(behind)}`);
  await waitUntil(async () => (await client.call('get_readiness')).body.status === 'ready');
  return { service, client };
}
