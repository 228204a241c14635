import { openLongSession, type TenantId } from '@continuity/kernel/database';
import type pg from 'pg';

/** A long-lived connection of `continuity tenants` to one server. It writes rows of a tenant that moves only after `passFence`. */
export type MoveSession = pg.Client;

/** Settings that make the texts of values alike on all servers, and let a step take its time. */
const settings = {
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '15min',
  // The session of a killed command ends within this time, also while a statement runs, and with it the locks that the next run needs.
  client_connection_check_interval: '1s',
  datestyle: 'ISO, YMD',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // A copy reads by keys; a plan that sorts a whole table would hold it back.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

/**
 * Opens a session at the server itself, not at a pooler. Call `end` after use. Errors name the server, because two servers run the same
 * statements.
 */
export async function openMoveSession(directUrl: string, server: string): Promise<MoveSession> {
  const session = await openLongSession(directUrl, 'continuity-move').catch((error: unknown) => {
    throw nameServer(error, server);
  });
  const query = session.query.bind(session) as (...given: unknown[]) => Promise<unknown>;
  session.query = (async (...given: unknown[]) => {
    try {
      return await query(...given);
    } catch (error) {
      throw nameServer(error, server);
    }
  }) as typeof session.query;
  await session.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join('; '),
  );
  return session;
}

/** Puts the name of a server before the message of its error, or before its code if it has no message. Returns the same error. */
export function nameServer(error: unknown, server: string): unknown {
  const start = `Database server ${server}: `;
  if (error instanceof Error && !error.message.startsWith(start))
    error.message = `${start}${error.message || String((error as { code?: unknown }).code ?? error.name)}`;
  return error;
}

/** Lets the session write the rows of the tenant although it does not work on the server. */
export async function passFence(session: MoveSession, tenantId: TenantId): Promise<void> {
  await session.query("SELECT set_config('continuity.mover', $1, false)", [String(tenantId)]);
}

/** Runs `work` in a transaction. Its references are checked at the commit. */
export async function inMoveTransaction<T>(
  session: MoveSession,
  work: () => Promise<T>,
  begin = 'BEGIN; SET CONSTRAINTS ALL DEFERRED',
): Promise<T> {
  await session.query(begin);
  try {
    const value = await work();
    await session.query('COMMIT');
    return value;
  } catch (error) {
    // A connection that is lost has no transaction any more.
    await session.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs statements that block others in one transaction and one round trip, so that a process that freezes holds none of their locks. False
 * if a lock was not free within `limit`, or a deadlock ended the transaction: nothing has changed then.
 */
export async function changeAtOnce(
  session: MoveSession,
  limit: string,
  statements: readonly string[],
): Promise<boolean> {
  try {
    await session.query(`BEGIN; SET LOCAL lock_timeout = '${limit}'; ${statements.join('; ')}; COMMIT`);
    return true;
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined);
    const { code } = error as { code?: string };
    if (code === '55P03' || code === '40P01') return false;
    throw error;
  }
}

/** Begins a transaction whose reads all see the same moment. */
export const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ';
