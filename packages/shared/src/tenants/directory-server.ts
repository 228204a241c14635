import type { DatabaseServer } from '@continuity/kernel/config';
import { type Database, requireServer } from '@continuity/kernel/database';
import { runInEpoch } from '@continuity/kernel/fairness';
import { withTimeLimit } from '@continuity/kernel/process';

/** Limit of the wait for one server, in milliseconds: one that hangs must not delay the tenants of the others for long. */
const serverLimitMs = 2_000;

/** A database server with the tenants that it has, as the directory reads them. */
export interface DirectoryServer {
  entry: DatabaseServer;
  database: Database;
}

/** Asks a server, in its current epoch and for a limited time. A server under the name of another one says nothing of its tenants. */
export function ask<T>({ database }: DirectoryServer, work: (database: Database) => Promise<T>): Promise<T> {
  const checked = async () => {
    await requireServer(database);
    return await work(database);
  };
  return withTimeLimit(runInEpoch(database.epochs.current, checked), serverLimitMs);
}
