import { type Gateway, startGateway } from '@continuity/api';
import { createLogger, type Logger, type Settings, startTelemetry } from '@continuity/shared/kernel';
import { startWorkers, type Workers } from '@continuity/workers';
import { startDatabase } from './database.ts';

/** The whole service in one process. */
export interface LocalService {
  url: string;
  logger: Logger;
  stop(): Promise<void>;
}

/** Starts database, gateway and workers, and resolves when a request can be served. The queue is in PostgreSQL. */
export async function startLocal(given: Settings): Promise<LocalService> {
  const logger = createLogger(given, 'continuity');
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const telemetry = await startTelemetry(given, 'continuity', { logger, scraped: true });
    stops.push(telemetry.shutdown);
    const database = await startDatabase(given, logger);
    stops.push(database.stop);
    const settings = { ...given, DATABASE_URL: database.url };
    const [gateway, workers] = await Promise.all([
      startGateway({ settings, logger, telemetry }),
      startWorkers(settings, logger, telemetry),
    ]);
    stops.push(() => stopInTurn(gateway, workers, given.SHUTDOWN_GRACE_MS));
    await gateway.ready;
    return { url: gateway.url, logger, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The gateway first: what waits for a worker is answered while there is one. The jobs get what is left of the time. */
async function stopInTurn(gateway: Gateway, workers: Workers, graceMs: number): Promise<void> {
  const begun = performance.now();
  await gateway.stop();
  await workers.stop(Math.max(0, graceMs - (performance.now() - begun)));
}
