import type { Service } from '../process/service.ts';
import { type Database, openDatabase } from './database.ts';
import { type DatabaseAddress, databaseAddressOf } from './pool.ts';

/**
 * Opens the database of a service process: the pools of its settings with their metrics, and a watch of the server, so that queries
 * fail within 5 s when it hangs. Closes with the resources of the process.
 */
export function openProcessDatabase(
  { settings, logger, telemetry, resources }: Service,
  name: string,
): { database: Database; address: DatabaseAddress } {
  const address = databaseAddressOf(settings);
  const database = openDatabase({
    ...address,
    size: settings.DATABASE_POOL_SIZE,
    name,
    watchesServer: true,
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  resources.onClose('database', () => database.close());
  for (const pool of [database.pool, database.prismaPool])
    resources.onClose('pool metrics', telemetry.metrics.watchPool(pool));
  return { database, address };
}
