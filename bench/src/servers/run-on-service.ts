import type { Bench } from '../benchmark.ts';
import { type HttpLoad, startHttpLoad } from '../load/http-load.ts';
import { type Service, type ServiceOptions, startSeparate } from './service.ts';
import { createOwnDatabase } from './stores.ts';

/** A running service with a database of its own, and the process that sends it requests. */
export interface LoadedService {
  service: Service;
  /** The URL of the first gateway. */
  url: string;
  databaseUrl: string;
  load: HttpLoad;
}

interface Options {
  environment?: Record<string, string>;
  /** Starts separate processes by default. */
  start?: (options: ServiceOptions & { redisUrl: string }) => Promise<Service>;
}

/** Starts a service on a new database, runs `work` on it, and removes both. */
export async function runOnService<T>(
  { stores }: Bench,
  { start = startSeparate, environment }: Options,
  work: (running: LoadedService) => Promise<T>,
): Promise<T> {
  const database = await createOwnDatabase(stores);
  try {
    const service = await start({
      databaseUrl: database.url,
      redisUrl: stores.redisUrl,
      ...(environment && { environment }),
    });
    const load = startHttpLoad();
    try {
      const [url = ''] = service.urls;
      return await work({ service, url, databaseUrl: database.url, load });
    } finally {
      await load.close();
      await service.stop();
    }
  } finally {
    await database.drop();
  }
}
