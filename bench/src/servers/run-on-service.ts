import type { Bench } from '../benchmark.ts';
import { type LoadedService, type LoadedServiceOptions, startLoadedService } from './loaded-service.ts';
import { startSeparate } from './service.ts';

/**
 * Runs `work` on a service that uses a new database, and removes both. The benchmarks of a quick run share a service of the default
 * options, because its start takes most of their time.
 */
export async function runOnService<T>(
  { stores, isQuick, shared }: Bench,
  options: LoadedServiceOptions,
  work: (running: LoadedService) => Promise<T>,
): Promise<T> {
  const { start = startSeparate, environment } = options;
  const isDefault = start === startSeparate && environment === undefined;
  if (isQuick && isDefault) return await work(await shared.open());
  const running = await startLoadedService(stores, options);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}
