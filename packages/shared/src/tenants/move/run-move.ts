import type { TenantId } from '@continuity/kernel/database';
import { abortMove } from './abort-move.ts';
import { endMove, moveTenant } from './move-tenant.ts';
import { findPlace } from './place.ts';
import type { MoveServer, MoveStep } from './prepare-move.ts';
import { MoveRefusedError } from './refused-error.ts';
import { lockOnServer, tryLockServers, tryLockTenant } from './run-locks.ts';
import {
  type MoveAddress,
  openDirectory,
  requireAddress,
  withSessions,
  withTriggers,
} from './run-servers.ts';
import { takeBack } from './take-back.ts';
import { stateOf } from './tenant-state.ts';

/** Arguments of the command. */
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
    const { tenantId } = await findPlace(directory, name);
    if (!(await tryLockTenant(directory, tenantId))) throw otherRun();
    // It may have moved until this run got the lock.
    const { server: from, moveVersion } = await findPlace(directory, name);
    const openLocked = async (server: string): Promise<MoveServer> => {
      const session = await open(requireAddress(servers, server));
      if (!(await lockOnServer(session, tenantId))) throw otherRun();
      return { name: server, session };
    };
    const target = await openLocked(to);
    if (from === to) {
      if (isAbort) throw new MoveRefusedError(`The tenant is on ${to} already. Move it back instead.`);
      return withTriggers(`The tenant "${name}" is on ${to}.`, await endMove(target, tenantId));
    }
    const source = await openLocked(from);
    // A run that has lost its lock in the directory meanwhile has lost this session too.
    if ((await findPlace(directory, name)).server !== from) throw otherRun();
    const openOthers = async () => {
      const others = servers.filter((server) => server.name !== from && server.name !== to);
      return await Promise.all(
        others.map(async (server) => ({ name: server.name, session: await open(server) })),
      );
    };
    const options = {
      directory,
      source,
      target,
      tenant: { name, tenantId, moveVersion },
      openOthers,
      report,
    };
    if (isAbort)
      return withTriggers(
        `The tenant "${name}" stays on ${from}. The copy on ${to} is deleted.`,
        await abortMove(options),
      );
    const takenBack = await takeBack(options);
    if (takenBack !== undefined)
      return withTriggers(
        `The tenant "${name}" is on ${to} again, as of the time when it left: ${from} was restored to a backup from before.`,
        takenBack,
      );
    const isAlone = await tryLockServers(directory, [from, to]);
    // A move that has begun goes on in any case: its tenant may be without a server.
    if ((await stateOf(source.session, tenantId)) === undefined) {
      requireAlone(isAlone, source, target);
      await requireRoom(servers, source, target, tenantId);
    }
    return withTriggers(
      `The tenant "${name}" is on ${to}. Its rows on ${from} stay until \`tenants clean\` deletes them.`,
      await moveTenant(options),
    );
  });
}

function otherRun(): MoveRefusedError {
  return new MoveRefusedError('Another run of this command is moving the tenant.');
}

function requireAlone(isAlone: boolean, source: MoveServer, target: MoveServer): void {
  if (isAlone) return;
  throw new MoveRefusedError(
    `Another tenant moves from or to ${source.name} or ${target.name}. A server takes part in one move at a time: repeat the command when that one has ended.`,
  );
}

/** Refuses a target whose `capacity_gib` the tenant would exceed. Its size is estimated by its share of the rows of the source. */
async function requireRoom(
  servers: readonly MoveAddress[],
  source: MoveServer,
  target: MoveServer,
  tenantId: TenantId,
): Promise<void> {
  const capacity = servers.find(({ name }) => name === target.name)?.capacityBytes;
  if (capacity === undefined) return;
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
