import type { TenantId } from '@continuity/kernel/database';
import pg from 'pg';
import { changeAtOnce, type MoveSession } from './session.ts';

/**
 * Key spaces of the advisory locks of runs: of a tenant in the directory, of a server in the directory, and of a tenant on a server. Other files
 * have 72_707_369 (migrations), 72_707_370 (`moveLock`) and 72_707_371 (builds of vector indexes).
 */
const runLock = 72_707_374;
const serverLock = 72_707_372;
export const tenantOnServerLock = 72_707_373;

/** Limit of the wait for a run whose process was killed: its session ends within about a second. */
const endLimit = '5s';

/**
 * Locks a tenant for one run of the command. The session with the directory keeps the lock until it ends, and a run that has lost its
 * session cannot change the directory any more. False if another run has the lock.
 */
export async function tryLockTenant(directory: MoveSession, tenantId: TenantId): Promise<boolean> {
  return await lockAll(directory, [`${runLock}, ${Number(tenantId)}`]);
}

/** Locks servers, so that each takes part in one move at a time: the snapshots of a move keep the tables in use that another one fences. */
export async function tryLockServers(directory: MoveSession, names: readonly string[]): Promise<boolean> {
  // In one order, so that two runs do not wait for each other in a circle.
  const keys = names.toSorted().map((name) => `${serverLock}, hashtext(${pg.escapeLiteral(name)})`);
  return await lockAll(directory, keys);
}

/**
 * Locks a tenant on a server for the session that changes its state, triggers and rows there. So a run that has lost its session with the
 * directory, but not this one, keeps every other run away from the server; and one that has lost this session changes nothing there any
 * more. False if another run has the lock.
 */
export async function lockOnServer(session: MoveSession, tenantId: TenantId): Promise<boolean> {
  return await lockAll(session, [`${tenantOnServerLock}, ${Number(tenantId)}`]);
}

/** Locks keys for a session. False if another session has one of them for longer than `endLimit`. */
async function lockAll(session: MoveSession, keys: readonly string[]): Promise<boolean> {
  return await changeAtOnce(
    session,
    endLimit,
    keys.map((key) => `SELECT pg_advisory_lock(${key})`),
  );
}
