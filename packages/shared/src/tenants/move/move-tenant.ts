import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@continuity/kernel/database';
import { leftMs } from '../move-watch.ts';
import { activate } from './activate.ts';
import { type CopyDeps, checkAllTables, checkChangedRows, copyRound } from './copy.ts';
import { deleteCopy } from './delete-tenant.ts';
import { createFence, dropFence, isFenced } from './fence.ts';
import { requireLastState, requireNoLaterState } from './later-state.ts';
import { allowWrites, blockWrites, claimMove, endOnSource } from './move-state.ts';
import { switchPlace } from './place.ts';
import { type Move, type MoveOptions, type MoveServer, prepareMove } from './prepare-move.ts';
import { MoveRefusedError } from './refused-error.ts';
import { passFence } from './session.ts';
import { hasActiveTenant, stateOf } from './tenant-state.ts';
import { hasSameTables, readTenantTables } from './tenant-tables.ts';

/** Changes that one round applies well within the time of a block. */
const fewChanges = 500;

/** Limit of the rounds that catch up before a block. */
const maxRounds = 200;

/** Limit of the blocks of one run: each one that ends too late is given up. */
const maxBlocks = 20;

/**
 * Moves a tenant from one server to the other, or goes on with a move that was interrupted at any step. Call it while no other run does, and
 * while the directory has the tenant on `source`. Returns the names of tables on the target whose triggers stay, because the tables were in use.
 * Throws a `MoveRefusedError` for what the operator has to do first.
 */
export async function moveTenant(options: MoveOptions): Promise<string[]> {
  const move = await prepareMove(options);
  const { directory, source, target, tenant, run, report } = move;
  report('prepare');
  const { state, copy } = await claimMove(move);
  if (state === undefined) await beginMove(move);
  else if (state === 'left' ? copy === 'unfinished' : copy === undefined) throw await copyIsMissing(move);
  await passFence(target.session, tenant.tenantId);
  if (state !== 'left') {
    await createFence(target.session, tenant.tenantId, move.tables);
    await createFence(source.session, tenant.tenantId, move.tables);
    const deps: CopyDeps = {
      source: source.session,
      target: target.session,
      tenantId: tenant.tenantId,
      run,
      groups: move.groups,
    };
    report('copy');
    while (!(await copyRound(deps)).isComplete);
    await catchUp(deps);
    report('compare');
    await copyRound(deps, checkAllTables(deps));
    await leaveSource(move, deps);
  }
  if (state !== 'left' || copy !== undefined) {
    report('activate');
    // Gateways that have not read the state yet answer from what they know.
    await sleep(leftMs);
    await activate(move);
  }
  report('switch');
  const moveVersion = (await stateOf(source.session, tenant.tenantId))?.moveVersion ?? null;
  if (moveVersion === null || !(await hasActiveTenant(target.session, tenant.tenantId, moveVersion)))
    throw await copyIsMissing(move);
  await switchPlace(directory, tenant.tenantId, { from: source.name, to: target.name, moveVersion });
  report('end');
  return await dropFence(target.session, tenant.tenantId, move.tables);
}

/** Ends a move that was interrupted after its switch. Repeatable. Returns the names of tables whose triggers stay. */
export async function endMove({ session }: MoveServer, tenantId: TenantId): Promise<string[]> {
  if ((await stateOf(session, tenantId)) !== undefined) return [];
  return await dropFence(session, tenantId, await readTenantTables(session));
}

/**
 * Begins a move: first on the target, where it deletes what an earlier one has left, also if a restore of a backup made the tenant work there
 * again; then on the source.
 */
async function beginMove(move: Move): Promise<void> {
  const { source, target, tenant, run } = move;
  const { rows } = await target.session.query<{ tenant_id: number; name: string }>(
    'SELECT tenant_id, name FROM tenants WHERE name = $1 OR tenant_id = $2',
    [tenant.name, tenant.tenantId],
  );
  if (rows.some(({ tenant_id, name }) => name !== tenant.name || tenant_id !== tenant.tenantId))
    throw new MoveRefusedError(
      `The server ${target.name} has another tenant of this name or id: rename it there, in its table tenants.`,
    );
  if (!(await hasActiveTenant(source.session, tenant.tenantId, tenant.moveVersion)))
    throw new MoveRefusedError(
      `The server ${source.name} has the tenant as of a time before its last move, as after a restore of an earlier backup. If the previous server still has the rows, move the tenant there. Otherwise restore a later backup of ${source.name}.`,
    );
  await requireNoLaterState(move, [target]);
  await target.session.query(
    `INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, $2, 'incoming', $3, $4)
     ON CONFLICT (tenant_id) DO UPDATE SET state = 'incoming', name = $2, peer = $3, run = $4, progress = NULL, blocked_until = NULL,
       deleted_at = NULL, changed_at = now()`,
    [tenant.tenantId, tenant.name, source.name, run],
  );
  await deleteCopy(move);
  await source.session.query('DELETE FROM tenant_changes WHERE tenant_id = $1', [tenant.tenantId]);
  await source.session.query(
    "INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, $2, 'leaving', $3, $4)",
    [tenant.tenantId, tenant.name, target.name, run],
  );
}

/** For a target that lacks what the move has written to it. Throws another `MoveRefusedError` if the source does not have all rows any more. */
async function copyIsMissing(move: Move): Promise<MoveRefusedError> {
  await requireLastState(move);
  const { source, target } = move;
  return new MoveRefusedError(
    `The server ${target.name} lacks the copy, as after a restore of an earlier backup. ${source.name} has all rows: abort by --abort, then move the tenant again.`,
  );
}

/** Applies changes until few are left, so that the block is short. */
async function catchUp(deps: CopyDeps): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1)
    if ((await copyRound(deps)).changes <= fewChanges) return;
  throw new MoveRefusedError(
    'The tenant writes faster than its changes are copied. Repeat the command when it writes less: the copy goes on from here.',
  );
}

/** Blocks the writes of the tenant, applies the last changes, and ends its work on the source. After an error, writes are accepted again. */
async function leaveSource(move: Move, deps: CopyDeps): Promise<void> {
  for (let block = 0; block < maxBlocks; block += 1) {
    await catchUp(deps);
    move.report('block');
    if (!(await blockWrites(move))) continue;
    let hasLeft = false;
    try {
      await requireUnchangedTables(move);
      await copyRound(deps, checkChangedRows(deps));
      move.report('leave');
      hasLeft = await endOnSource(move);
    } finally {
      // A block that stays expires soon.
      if (!hasLeft) await allowWrites(move).catch(() => undefined);
    }
    if (hasLeft) return;
  }
  throw new MoveRefusedError(
    'The last changes could not be copied in time. Repeat the command when the servers have less to do.',
  );
}

/** Throws a `MoveRefusedError` if the tables are not those that this run has copied. */
async function requireUnchangedTables({ source, target, tenant, tables }: Move): Promise<void> {
  const [before, after] = await Promise.all([
    readTenantTables(source.session),
    readTenantTables(target.session),
  ]);
  const isUnchanged =
    hasSameTables(before, tables) &&
    hasSameTables(after, tables) &&
    (await isFenced(source.session, tenant.tenantId, before));
  if (!isUnchanged)
    throw new MoveRefusedError(
      'A migration has changed the tables meanwhile. Abort the move by --abort, and begin it again.',
    );
}
