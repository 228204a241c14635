import type { DatabaseServer } from '@continuity/kernel/config';
import { type Database, requireServer } from '@continuity/kernel/database';
import { runInEpoch } from '@continuity/kernel/fairness';
import { withTimeLimit } from '@continuity/kernel/process';
import { findPlacedTenants, type PlacedTenant } from './ensure-tenant.ts';

/** Limit of the wait for one server, in milliseconds: one that hangs must not delay the tenants of the others for long. */
const serverLimitMs = 2_000;

/** A database server with the tenants that it has, as the directory reads them. */
export interface DirectoryServer {
  entry: DatabaseServer;
  database: Database;
}

/** A tenant on a server, as that server or the directory says. */
export interface Place extends PlacedTenant {
  server: string;
}

export interface FoundTenant extends Place {
  name: string;
}

/** Asks a server, in its current epoch and for a limited time. A server under the name of another one says nothing of its tenants. */
export function ask<T>({ database }: DirectoryServer, work: (database: Database) => Promise<T>): Promise<T> {
  const checked = async () => {
    await requireServer(database);
    return await work(database);
  };
  return withTimeLimit(runInEpoch(database.epochs.current, checked), serverLimitMs);
}

/** Asks all servers for tenants that work there. `owners` has them by their names; `silent` are the servers that do not answer. */
export async function findOwners(
  servers: readonly DirectoryServer[],
  names: readonly string[],
): Promise<{ owners: Map<string, FoundTenant[]>; silent: DirectoryServer[] }> {
  const owners = new Map<string, FoundTenant[]>();
  const silent: DirectoryServer[] = [];
  if (names.length === 0) return { owners, silent };
  const answers = await Promise.allSettled(
    servers.map((server) => ask(server, (database) => findPlacedTenants(database, names))),
  );
  for (const [index, answer] of answers.entries()) {
    const server = servers[index];
    if (server === undefined) continue;
    if (answer.status === 'rejected') silent.push(server);
    else
      for (const [name, tenant] of answer.value)
        owners.set(name, [...(owners.get(name) ?? []), { name, ...tenant, server: server.entry.name }]);
  }
  return { owners, silent };
}
