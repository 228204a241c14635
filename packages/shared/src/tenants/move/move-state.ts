import { moveLock } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import type { Move } from './prepare-move.ts';
import { MoveRefusedError, TakenOverError } from './refused-error.ts';
import { changeAtOnce } from './session.ts';
import { stateOf } from './tenant-state.ts';

/** State of the tenant on the server before. */
export type SourceState = 'leaving' | 'blocked' | 'left';

/** How far a move is. */
export interface ClaimedMove {
  /** Undefined if the move has not begun. */
  state: SourceState | undefined;
  /** The copy on the target that is not active: final once it has all that the source had when the tenant left. Undefined if there is none. */
  copy: 'unfinished' | 'final' | undefined;
}

/** Limit of a block of writes. After it, the server accepts writes again, also if this process was killed. */
const blockLimit = '8 seconds';

/** Limit of the wait for the writes that have begun, during which further ones wait. */
const lockLimit = '2s';

/**
 * Makes this run the one that may go on: first on the target, so that no earlier run activates the tenant there any more. Returns how far
 * the move is.
 */
export async function claimMove({ source, target, tenant, run }: Move): Promise<ClaimedMove> {
  const copies = await target.session.query<{ moveVersion: string | null }>(
    `UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1 AND state = 'incoming' AND peer = $3
     RETURNING progress ->> 'seal' AS "moveVersion"`,
    [tenant.tenantId, run, source.name],
  );
  const [row] = copies.rows;
  const known = await stateOf(source.session, tenant.tenantId);
  const isFinal = known?.moveVersion != null && known.moveVersion === row?.moveVersion;
  const copy = row && (isFinal ? 'final' : 'unfinished');
  if (known === undefined) return { state: undefined, copy };
  if (known.peer !== target.name)
    throw new MoveRefusedError(
      `The tenant is moving to ${known.peer}. Repeat that command to end the move, or add --abort.`,
    );
  await source.session.query('UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1', [tenant.tenantId, run]);
  return { state: known.state as SourceState, copy };
}

/** Refuses the writes of the tenant for a while. False if those that have begun do not end in time. */
export async function blockWrites(move: Move): Promise<boolean> {
  return await changeState(move, 'blocked');
}

/** Accepts the writes of the tenant on the source again. False if those that have begun do not end in time: the block expires soon then. */
export async function allowWrites(move: Move): Promise<boolean> {
  return await changeState(move, 'leaving');
}

/**
 * Ends the work of the tenant on the source. First writes a new version to both servers: a target without it was restored to an earlier backup,
 * so that its copy lacks rows. False if changes are left that were not copied, or if writes that have begun do not end in time.
 */
export async function endOnSource(move: Move): Promise<boolean> {
  const moveVersion = newId();
  const { rowCount } = await move.target.session.query(
    `UPDATE tenant_moves SET progress = progress || jsonb_build_object('seal', $3::text)
     WHERE tenant_id = $1 AND run = $2 AND state = 'incoming'`,
    [move.tenant.tenantId, move.run, moveVersion],
  );
  if (rowCount === 0) throw new TakenOverError();
  return await changeState(move, 'left', moveVersion);
}

/**
 * Changes the state on the source once no transaction of the tenant writes: those that have passed the fence end first, and the next ones see
 * the new state. False if they do not end in time, or if the tenant cannot leave yet because changes are left that were not copied.
 */
async function changeState(
  { source, tenant, run }: Move,
  state: SourceState,
  moveVersion?: string,
): Promise<boolean> {
  const tenantId = Number(tenant.tenantId);
  const blockedUntil = state === 'blocked' ? `clock_timestamp() + interval '${blockLimit}'` : 'NULL';
  const progress = moveVersion === undefined ? 'NULL' : `'${JSON.stringify({ seal: moveVersion })}'`;
  const isCaughtUp = `NOT EXISTS (SELECT FROM tenant_changes WHERE tenant_id = ${tenantId})`;
  const isChanged = await changeAtOnce(source.session, lockLimit, [
    `SELECT pg_advisory_xact_lock(${moveLock}, ${tenantId})`,
    `UPDATE tenant_moves SET state = '${state}', blocked_until = ${blockedUntil}, progress = ${progress}, changed_at = now()
     WHERE tenant_id = ${tenantId} AND run = '${run}' AND state IN ('leaving', 'blocked')
       AND ${state === 'left' ? isCaughtUp : 'true'}`,
  ]);
  if (!isChanged) return false;
  const known = await stateOf(source.session, tenant.tenantId);
  if (known?.run !== run) throw new TakenOverError();
  return known.state === state;
}
