import { type DatabaseServer, SettingsError, serversOf } from '../config/index.ts';
import { Resources } from './resources.ts';
import type { Service, WorkerProcess } from './service.ts';

/** What a process runs on one database server. */
export interface ServerService extends Service {
  /** The entry of `DATABASE_SERVERS_FILE`; undefined without that file. */
  entry?: DatabaseServer;
}

/**
 * The service of each database server: the settings, the log and the identity of that server. Without `DATABASE_SERVERS_FILE`, the
 * service itself. Throws a `SettingsError` for a file that is not valid.
 */
export function servicesOf(service: Service): ServerService[] {
  return serversOf(service.settings).map(({ settings, server, entry }) => {
    if (server === undefined || entry === undefined) return service;
    const logger = service.logger.child({ server: server.name });
    return { ...service, settings, logger, server, entry };
  });
}

/**
 * Starts a worker on each server of `WORKER_SERVERS`, each with resources of its own. They close at the same time, so that each has the
 * whole grace period. Without `DATABASE_SERVERS_FILE`, starts the one worker.
 */
export async function startOnServers(
  service: Service,
  start: (service: Service) => Promise<WorkerProcess>,
): Promise<WorkerProcess> {
  const all = servicesOf(service);
  const chosen = chosenServers(service, all);
  if (all[0]?.entry === undefined) return await start(service);
  const { settings, logger, resources } = service;
  const own = chosen.map((one) => ({
    ...one,
    resources: new Resources(one.logger, { graceMs: settings.SHUTDOWN_GRACE_MS }),
  }));
  const closeAll = async () => {
    const closes = own.map((one) => one.resources.close());
    // A server that fails to close must not cut the grace period of the others short.
    await Promise.allSettled(closes);
    await Promise.all(closes);
  };
  resources.onClose('servers', closeAll, 'grace');
  const workers = await Promise.all(own.map((one) => start(one)));
  logger.info(
    { servers: own.map(({ entry }) => entry?.name) },
    'the worker works for these database servers',
  );
  return {
    workerId: workers.map(({ workerId }) => workerId).join(' '),
    isReady: () => workers.every((worker) => worker.isReady()),
    failed: Promise.all(workers.map(({ failed }) => failed)).then(() => undefined),
  };
}

function chosenServers({ settings }: Service, all: readonly ServerService[]): readonly ServerService[] {
  const names = settings.WORKER_SERVERS;
  if (names === undefined) return all;
  const unknown = names.find((name) => !all.some(({ entry }) => entry?.name === name));
  if (unknown !== undefined)
    throw new SettingsError(
      `WORKER_SERVERS names "${unknown}", which is no server of DATABASE_SERVERS_FILE.`,
    );
  return all.filter(({ entry }) => entry !== undefined && names.includes(entry.name));
}
