import type { Bench } from '../benchmark.ts';
import type { HttpLoad } from '../load/http-load.ts';
import type { Service } from './service.ts';

/** A running service, its database, and the process that sends it requests. */
export interface LoadedService {
  service: Service;
  /** The URL of the first gateway. */
  url: string;
  databaseUrl: string;
  load: HttpLoad;
}

interface Options {
  /** Separate processes by default. */
  start?: 'startSeparate' | 'startAllInOne';
  environment?: Record<string, string>;
  gateways?: number;
}

/** Runs `work` on a service that uses a new database, and removes both. */
export async function runOnService<T>(
  { servers }: Bench,
  { start = 'startSeparate', ...options }: Options,
  work: (running: LoadedService) => Promise<T>,
): Promise<T> {
  const opened = new AsyncDisposableStack();
  try {
    const database = await servers.createDatabase();
    opened.defer(() => database.drop());
    const service = await servers[start]({ databaseUrl: database.url, ...options });
    opened.defer(() => service.stop());
    const load = servers.startLoad();
    opened.defer(() => load.close());
    const [url = ''] = service.urls;
    return await work({ service, url, databaseUrl: database.url, load });
  } finally {
    await opened.disposeAsync();
  }
}
