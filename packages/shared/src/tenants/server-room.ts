import type { DatabaseServer } from '@continuity/kernel/config';
import { column, deploymentStatement, type Sql } from '@continuity/kernel/database';

/** Counts tenants of the whole server, and reads the size of its database. Runs only where a new tenant is placed. */
const selectSize = deploymentStatement(
  'server_size',
  'SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM tenants) AS tenants',
  { bytes: column.bigint, tenants: column.bigint },
);

/** What is on a server. */
interface ServerSize {
  bytes: number;
  tenantCount: number;
}

export async function readServerSize(sql: Sql): Promise<ServerSize> {
  const row = await sql.first(selectSize, []);
  if (row === undefined) throw new Error('PostgreSQL returned no size.');
  return { bytes: row.bytes, tenantCount: row.tenants };
}

type SizedServer = Pick<DatabaseServer, 'name' | 'capacityBytes' | 'takesNewTenants' | 'tenants'> &
  ServerSize;

/**
 * Chooses the server of each new tenant: the one that names it, else the one with the most room. Room is the capacity less the size. A server
 * without a capacity counts as having that of the largest one. Each new tenant takes the room of a mean one, so that many at a
 * time are spread. A tenant that no server takes is left out.
 */
export function chooseServers(
  names: readonly string[],
  servers: readonly SizedServer[],
): Map<string, string> {
  const capacity = Math.max(0, ...servers.map(({ capacityBytes }) => capacityBytes ?? 0));
  const sum = (read: (server: SizedServer) => number) =>
    servers.reduce((total, server) => total + read(server), 0);
  const meanBytes =
    sum(({ bytes }) => bytes) /
    Math.max(
      1,
      sum(({ tenantCount }) => tenantCount),
    );
  const rooms = servers.map((server) => ({
    server,
    room: (server.capacityBytes ?? capacity) - server.bytes,
  }));
  const named = new Map(rooms.flatMap((one) => one.server.tenants.map((name) => [name, one])));
  const open = rooms.filter(({ server }) => server.takesNewTenants);
  const chosen = new Map<string, string>();
  for (const name of names) {
    const most = named.get(name) ?? open.sort((one, other) => other.room - one.room)[0];
    if (most === undefined) continue;
    most.room -= meanBytes;
    chosen.set(name, most.server.name);
  }
  return chosen;
}
