import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { moveLock, type TenantId } from '@continuity/kernel/database';
import { leftMs } from '../move-watch.ts';
import { activate } from './activate.ts';
import { type CopyDeps, checkAllTables, checkChangedRows, copyRound } from './copy.ts';
import { deleteTenantRows } from './delete-tenant.ts';
import { createFence, dropFence, isFenced } from './fence.ts';
import { MoveRefusedError, TakenOverError } from './refused-error.ts';
import { inMoveTransaction, type MoveSession, passFence } from './session.ts';
import {
  groupTables,
  readTenantTables,
  requireSameTables,
  type TableGroup,
  type TenantTable,
} from './tenant-tables.ts';

/** A server with a session that may change its rows. */
export interface MoveServer {
  name: string;
  session: MoveSession;
}

/** A step of a move, as the command reports it. */
export type MoveStep = 'prepare' | 'copy' | 'compare' | 'block' | 'leave' | 'activate' | 'switch' | 'end';

export interface MoveOptions {
  /** Server with the directory. */
  directory: MoveSession;
  source: MoveServer;
  target: MoveServer;
  tenant: { name: string; tenantId: TenantId };
  report: (step: MoveStep) => void;
}

/** Changes that one round applies well within the time of a block. */
const fewChanges = 500;

/** Limit of the rounds that catch up before a block. */
const maxRounds = 200;

/** Limit of the blocks of one run: each one that ends too late is given up. */
const maxBlocks = 20;

/** Limit of a block of writes. After it, the server accepts writes again, also if this process was killed. */
const blockLimit = '8 seconds';

/** Limit of the wait for the writes that have begun, during which further ones wait. */
const lockLimit = '2s';

interface Move extends MoveOptions {
  run: string;
  tables: readonly TenantTable[];
  groups: readonly TableGroup[];
}

type SourceState = 'leaving' | 'blocked' | 'left';

/**
 * Moves a tenant from one server to the other, or goes on with a move that was interrupted at any step. Call it while no other run does, and
 * while the directory has the tenant on `source`. Throws a `MoveRefusedError` for what the operator has to do first.
 */
export async function moveTenant(options: MoveOptions): Promise<void> {
  const move = await open(options);
  options.report('prepare');
  const { source, target, tenant, run } = move;
  const state = await claim(move);
  const isIncoming = (await stateOf(target.session, tenant.tenantId))?.state === 'incoming';
  if (state === undefined) await begin(move);
  else if (state !== 'left' && !isIncoming) throw brokenMove(move);
  await passFence(target.session, tenant.tenantId);
  if (state !== 'left') {
    await createFence(target.session, tenant.tenantId, move.tables);
    await createFence(source.session, tenant.tenantId, move.tables);
    const copy: CopyDeps = {
      source: source.session,
      target: target.session,
      tenantId: tenant.tenantId,
      run,
      groups: move.groups,
    };
    options.report('copy');
    while (!(await copyRound(copy)).isComplete);
    await catchUp(copy);
    options.report('compare');
    await copyRound(copy, checkAllTables(copy));
    await leave(move, copy);
  }
  if (state !== 'left' || isIncoming) {
    options.report('activate');
    // Gateways that have not read the state yet answer from what they know.
    await sleep(leftMs);
    await activate(move);
  }
  options.report('switch');
  await options.directory.query(
    'UPDATE tenant_servers SET server = $3 WHERE tenant_id = $1 AND server = $2',
    [tenant.tenantId, source.name, target.name],
  );
  options.report('end');
  await dropFence(target.session, tenant.tenantId, move.tables);
}

/** Ends a move that was interrupted after its switch. Repeatable. */
export async function endMove({ session }: MoveServer, tenantId: TenantId): Promise<void> {
  if ((await stateOf(session, tenantId)) === undefined)
    await dropFence(session, tenantId, await readTenantTables(session));
}

/**
 * Takes a tenant back that has not moved yet: it works on the source as before, and the copy is deleted. Repeatable. Throws a
 * `MoveRefusedError` if it has moved.
 */
export async function abortMove(options: MoveOptions): Promise<void> {
  const move = await open(options);
  const { source, target, tenant } = move;
  const state = await claim(move);
  const isIncoming = (await stateOf(target.session, tenant.tenantId))?.state === 'incoming';
  if (state === 'left' && !isIncoming)
    throw new MoveRefusedError(
      `The tenant works on ${target.name} already. Repeat the move to end it, then move the tenant back to ${source.name}.`,
    );
  // From here on, the copy misses changes: a move that begins later deletes it.
  await source.session.query('DELETE FROM tenant_moves WHERE tenant_id = $1 AND run = $2', [
    tenant.tenantId,
    move.run,
  ]);
  await dropFence(source.session, tenant.tenantId, move.tables);
  await source.session.query('DELETE FROM tenant_changes WHERE tenant_id = $1', [tenant.tenantId]);
  if (!isIncoming) return;
  await deleteCopy(move);
  await target.session.query('DELETE FROM tenant_moves WHERE tenant_id = $1 AND run = $2', [
    tenant.tenantId,
    move.run,
  ]);
  await dropFence(target.session, tenant.tenantId, move.tables);
}

async function open(options: MoveOptions): Promise<Move> {
  const [tables, others] = await Promise.all([
    readTenantTables(options.source.session),
    readTenantTables(options.target.session),
  ]);
  requireSameTables(tables, others);
  // In the order of the columns on the target.
  return { ...options, run: randomUUID(), tables: others, groups: groupTables(others) };
}

/**
 * Makes this run the one that may go on: first on the target, so that no earlier run activates the tenant there any more. Returns the state
 * on the source.
 */
async function claim({ source, target, tenant, run }: Move): Promise<SourceState | undefined> {
  await target.session.query(
    "UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1 AND state = 'incoming' AND peer = $3",
    [tenant.tenantId, run, source.name],
  );
  const known = await stateOf(source.session, tenant.tenantId);
  if (known === undefined) return undefined;
  if (known.peer !== target.name)
    throw new MoveRefusedError(
      `The tenant is moving to ${known.peer}. Repeat that command to end the move, or add --abort to take it back.`,
    );
  await source.session.query('UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1', [tenant.tenantId, run]);
  return known.state as SourceState;
}

async function stateOf(
  session: MoveSession,
  tenantId: TenantId,
): Promise<{ state: string; peer: string; deleted_at: Date | null } | undefined> {
  const { rows } = await session.query<{ state: string; peer: string; deleted_at: Date | null }>(
    'SELECT state, peer, deleted_at FROM tenant_moves WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0];
}

/** Begins a move: first on the target, where it deletes what an earlier one has left, then on the source. */
async function begin(move: Move): Promise<void> {
  const { source, target, tenant, run } = move;
  const known = await stateOf(target.session, tenant.tenantId);
  const { rows } = await target.session.query<{ tenant_id: number }>(
    'SELECT tenant_id FROM tenants WHERE name = $1 OR tenant_id = $2',
    [tenant.name, tenant.tenantId],
  );
  if (rows.some(({ tenant_id }) => known === undefined || tenant_id !== tenant.tenantId))
    throw new MoveRefusedError(
      `The server ${target.name} has another tenant of this name or id: rename it there, in its table tenants.`,
    );
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

async function deleteCopy({ target, tenant, groups, run }: Move): Promise<void> {
  await deleteTenantRows(target.session, tenant.tenantId, groups, async () => {
    const { rowCount } = await target.session.query(
      "SELECT FROM tenant_moves WHERE tenant_id = $1 AND run = $2 AND state = 'incoming' FOR UPDATE",
      [tenant.tenantId, run],
    );
    if (rowCount === 0) throw new TakenOverError();
  });
}

function brokenMove({ source, target }: Move): MoveRefusedError {
  return new MoveRefusedError(
    `The copy on ${target.name} is gone although ${source.name} has begun the move. Take it back by --abort, then move the tenant again.`,
  );
}

/** Applies changes until few are left, so that the block is short. */
async function catchUp(copy: CopyDeps): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1)
    if ((await copyRound(copy)).changes <= fewChanges) return;
  throw new MoveRefusedError(
    'The tenant writes faster than its changes are copied. Repeat the command when it writes less: the copy goes on from here.',
  );
}

/** Blocks the writes of the tenant, applies the last changes, and ends its work on the source. */
async function leave(move: Move, copy: CopyDeps): Promise<void> {
  const { source, tenant, report } = move;
  for (let block = 0; block < maxBlocks; block += 1) {
    await catchUp(copy);
    report('block');
    const isBlocked = await changeState(
      move,
      `state = 'blocked', blocked_until = clock_timestamp() + interval '${blockLimit}'`,
    );
    if (!isBlocked) continue;
    if (!(await isFenced(source.session, tenant.tenantId, await readTenantTables(source.session))))
      throw new MoveRefusedError(
        'A migration has created a table meanwhile. Abort the move by --abort, and begin it again.',
      );
    await copyRound(copy, checkChangedRows(copy));
    report('leave');
    const hasLeft = await changeState(move, "state = 'left', blocked_until = NULL", true);
    if (hasLeft) return;
    await changeState(move, "state = 'leaving', blocked_until = NULL");
  }
  throw new MoveRefusedError(
    'The last changes could not be copied in time. Repeat the command when the servers have less to do.',
  );
}

/**
 * Changes the state on the source once no transaction of the tenant writes: those that have passed the fence end first, and the next ones see
 * the new state. False if they do not end in time, or if `isCaughtUp` and changes are left that were not copied.
 */
async function changeState(
  { source, tenant, run }: Move,
  change: string,
  isCaughtUp = false,
): Promise<boolean> {
  const { session } = source;
  try {
    return await inMoveTransaction(
      session,
      async () => {
        await session.query('SELECT pg_advisory_xact_lock($1, $2)', [moveLock, tenant.tenantId]);
        const left = await session.query('SELECT FROM tenant_changes WHERE tenant_id = $1 LIMIT 1', [
          tenant.tenantId,
        ]);
        if (isCaughtUp && left.rows.length > 0) return false;
        const { rowCount } = await session.query(
          `UPDATE tenant_moves SET ${change}, changed_at = now() WHERE tenant_id = $1 AND run = $2 AND state IN ('leaving', 'blocked')`,
          [tenant.tenantId, run],
        );
        if (rowCount === 0) throw new TakenOverError();
        return true;
      },
      `BEGIN; SET LOCAL lock_timeout = '${lockLimit}'`,
    );
  } catch (error) {
    // The lock was not free in time.
    if ((error as { code?: string }).code === '55P03') return false;
    throw error;
  }
}
