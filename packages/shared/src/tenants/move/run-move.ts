import type { TenantId } from '@continuity/kernel/database';
import { deleteLeftTenants } from './delete-tenant.ts';
import { abortMove, endMove, type MoveServer, type MoveStep, moveTenant } from './move-tenant.ts';
import { MoveRefusedError } from './refused-error.ts';
import { type MoveSession, openMoveSession } from './session.ts';

/** Key space of the advisory locks on the first server: one run at a time moves a tenant. */
const runLock = 72_707_371;

/** A server of the deployment. The first one has the directory. */
export interface MoveAddress {
  name: string;
  directUrl: string;
  /** Size that the database may have; undefined if the operator does not say. */
  capacityBytes: number | undefined;
}

/** What the operator asks for. */
export interface MoveRequest {
  tenant: string;
  /** Name of the server to move to. */
  to: string;
  isAbort: boolean;
}

/**
 * Moves a tenant to another server, goes on with a move that was interrupted, or takes the tenant back. Resolves with a sentence that says what
 * is now. Throws a `MoveRefusedError` for what the operator has to do first, and errors of the servers as they are: after any error,
 * the same request goes on.
 */
export async function runMove(
  servers: readonly MoveAddress[],
  { tenant: name, to, isAbort }: MoveRequest,
  report: (step: MoveStep) => void,
): Promise<string> {
  if (!servers.some((server) => server.name === to))
    throw new MoveRefusedError(`No server of DATABASE_SERVERS_FILE has the name "${to}".`);
  return await withSessions(async (open) => {
    const directory = await openDirectory(servers, open);
    const place = await findPlace(directory, name);
    if (!(await tryLock(directory, place.tenantId)))
      throw new MoveRefusedError('Another run of this command is moving the tenant.');
    // It may have moved until this run got the lock.
    const { server: from, tenantId } = await findPlace(directory, name);
    const target = { name: to, session: await open(requireAddress(servers, to)) };
    if (from === to) {
      if (isAbort) throw new MoveRefusedError(`The tenant is on ${to} already. Move it back instead.`);
      await endMove(target, tenantId);
      return `The tenant "${name}" is on ${to}.`;
    }
    const source = { name: from, session: await open(requireAddress(servers, from)) };
    const options = { directory, source, target, tenant: { name, tenantId }, report };
    if (isAbort) {
      await abortMove(options);
      return `The tenant "${name}" stays on ${from}. The copy on ${to} is deleted.`;
    }
    await requireRoom(servers, source, target, tenantId);
    await moveTenant(options);
    return `The tenant "${name}" is on ${to}. Its rows on ${from} stay until \`tenants clean\` deletes them.`;
  });
}

/** Deletes the rows of tenants that left their server more than `graceSeconds` ago, on all servers. Returns a sentence for each server. */
export async function cleanServers(servers: readonly MoveAddress[], graceSeconds: number): Promise<string[]> {
  return await withSessions(async (open) => {
    const directory = await openDirectory(servers, open);
    const sentences: string[] = [];
    for (const address of servers) {
      const names = await deleteLeftTenants(await open(address), graceSeconds, (tenantId) =>
        tryLock(directory, tenantId),
      );
      sentences.push(
        names.length === 0
          ? `Nothing to delete on ${address.name}.`
          : `Deleted the rows of ${names.map((name) => `"${name}"`).join(', ')} on ${address.name}.`,
      );
    }
    return sentences;
  });
}

/** Opens sessions for `work`, and closes all of them. */
async function withSessions<T>(
  work: (open: (address: MoveAddress) => Promise<MoveSession>) => Promise<T>,
): Promise<T> {
  const sessions: MoveSession[] = [];
  try {
    return await work(async ({ name, directUrl }) => {
      const session = await openMoveSession(directUrl);
      sessions.push(session);
      const { rows } = await session.query<{ server: string | null }>('SELECT server FROM deployment');
      if (rows[0]?.server !== name)
        throw new MoveRefusedError(
          `The database of the server "${name}" in DATABASE_SERVERS_FILE is another server.`,
        );
      return session;
    });
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

async function openDirectory(
  servers: readonly MoveAddress[],
  open: (address: MoveAddress) => Promise<MoveSession>,
): Promise<MoveSession> {
  const [first] = servers;
  if (first === undefined) throw new Error('A deployment has a database server.');
  return await open(first);
}

function requireAddress(servers: readonly MoveAddress[], name: string): MoveAddress {
  const address = servers.find((server) => server.name === name);
  if (address === undefined)
    throw new MoveRefusedError(`The tenant is on "${name}", which is no server of DATABASE_SERVERS_FILE.`);
  return address;
}

/** The session keeps the lock until it ends, and a run that has lost its session cannot change the directory any more. */
async function tryLock(directory: MoveSession, tenantId: TenantId): Promise<boolean> {
  const { rows } = await directory.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS locked',
    [runLock, tenantId],
  );
  return rows[0]?.locked === true;
}

async function findPlace(
  directory: MoveSession,
  name: string,
): Promise<{ server: string; tenantId: TenantId }> {
  const { rows } = await directory.query<{ server: string; tenantId: TenantId }>(
    'SELECT server, tenant_id AS "tenantId" FROM tenant_servers WHERE name = $1',
    [name],
  );
  const [place] = rows;
  if (place === undefined)
    throw new MoveRefusedError(
      `The directory lists no tenant "${name}". A gateway lists a tenant once it has read its token.`,
    );
  return place;
}

/** Refuses a target whose `capacity_gib` the tenant would exceed. Its size is estimated by its share of the rows of the source. */
async function requireRoom(
  servers: readonly MoveAddress[],
  source: MoveServer,
  target: MoveServer,
  tenantId: TenantId,
): Promise<void> {
  const capacity = servers.find(({ name }) => name === target.name)?.capacityBytes;
  const begun = await source.session.query('SELECT FROM tenant_moves WHERE tenant_id = $1', [tenantId]);
  if (capacity === undefined || begun.rows.length > 0) return;
  const size = async ({ session }: MoveServer) => {
    const { rows } = await session.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return rows[0]?.bytes ?? 0;
  };
  const share = await source.session.query<{ share: number }>(
    `SELECT coalesce((SELECT count(*) FROM memory_versions WHERE tenant_id = $1)::float8, 0)
       / greatest((SELECT sum(reltuples) FROM pg_class WHERE relname = 'memory_versions'), 1) AS share`,
    [tenantId],
  );
  const needed = (await size(source)) * Math.min(share.rows[0]?.share ?? 0, 1);
  if ((await size(target)) + needed > capacity)
    throw new MoveRefusedError(
      `The server ${target.name} has no room for the tenant, which has about ${Math.ceil(needed / 1024 ** 2)} MiB: raise its capacity_gib.`,
    );
}
