import { type HttpLoad, startHttpLoad } from '../load/http-load.ts';
import { type Service, type ServiceOptions, startSeparate } from './service.ts';
import { createOwnDatabase, type Stores } from './stores.ts';

/** A running service with a database of its own, and the process that sends it requests. */
export interface LoadedService {
  service: Service;
  /** The URL of the first gateway. */
  url: string;
  databaseUrl: string;
  load: HttpLoad;
}

export interface LoadedServiceOptions {
  environment?: Record<string, string>;
  /** Starts separate processes by default. */
  start?: (options: ServiceOptions & { redisUrl: string }) => Promise<Service>;
}

interface OwnService extends LoadedService {
  /** Stops the service and removes its database. */
  close(): Promise<void>;
}

/** Starts a service on a new database. */
export async function startLoadedService(
  stores: Stores,
  { start = startSeparate, environment }: LoadedServiceOptions,
): Promise<OwnService> {
  const opened = new AsyncDisposableStack();
  try {
    const database = await createOwnDatabase(stores);
    opened.defer(() => database.drop());
    const service = await start({
      databaseUrl: database.url,
      redisUrl: stores.redisUrl,
      ...(environment && { environment }),
    });
    opened.defer(() => service.stop());
    const load = startHttpLoad();
    opened.defer(() => load.close());
    const [url = ''] = service.urls;
    return { service, url, databaseUrl: database.url, load, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** A service that starts when it is first needed. */
export interface SharedService {
  open(): Promise<LoadedService>;
  close(): Promise<void>;
}

/** The service that the benchmarks of a quick run share. */
export function shareService(stores: Stores): SharedService {
  let running: Promise<OwnService> | undefined;
  return {
    open: () => {
      running ??= startLoadedService(stores, {});
      return running;
    },
    close: async () => {
      await (await running)?.close();
    },
  };
}
