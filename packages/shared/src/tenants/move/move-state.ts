import { randomUUID } from 'node:crypto';
import { moveLock, type TenantId } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { deleteTenantRows } from './delete-tenant.ts';
import { MoveRefusedError, TakenOverError } from './refused-error.ts';
import { changeAtOnce, type MoveSession } from './session.ts';
import {
  groupTables,
  readTenantTables,
  requireSameTables,
  type TableGroup,
  type TenantTable,
} from './tenant-tables.ts';

/** A server and a session on it. On `source` and `target`, the session has the lock of the tenant (`lockOnServer`). */
export interface MoveServer {
  name: string;
  session: MoveSession;
}

/** A step of a move, as the command reports it. */
export type MoveStep =
  | 'prepare'
  | 'copy'
  | 'compare'
  | 'block'
  | 'leave'
  | 'activate'
  | 'switch'
  | 'end'
  | 'abort';

export interface MoveOptions {
  /** Server with the directory. */
  directory: MoveSession;
  source: MoveServer;
  target: MoveServer;
  /** `seal` is that of the move that brought it to `source`, by the directory. */
  tenant: { name: string; tenantId: TenantId; seal: string | null };
  /** Opens the servers of the deployment that are neither of the two. Throws if one does not answer. */
  openOthers: () => Promise<readonly MoveServer[]>;
  report: (step: MoveStep) => void;
}

/** A move, as one run of the command works on it. */
export interface Move extends MoveOptions {
  run: string;
  /** Tables as they were when the run began, in the order of the columns on the target. */
  tables: readonly TenantTable[];
  groups: readonly TableGroup[];
}

/** State of the tenant on the server before. */
export type SourceState = 'leaving' | 'blocked' | 'left';

interface MoveState {
  state: string;
  peer: string;
  run: string;
  seal: string | null;
  /** Whether the rows of a tenant that has left were deleted. */
  isDeleted: boolean;
}

/** How far a move is. */
export interface ClaimedMove {
  /** Undefined if the move has not begun. */
  state: SourceState | undefined;
  /** The copy on the target that is not active: sealed once it has all that the source had when the tenant left. Undefined if there is none. */
  copy: 'open' | 'sealed' | undefined;
}

/** Limit of a block of writes. After it, the server accepts writes again, also if this process was killed. */
const blockLimit = '8 seconds';

/** Limit of the wait for the writes that have begun, during which further ones wait. */
const lockLimit = '2s';

/** Reads the tables of both servers. Throws a `MoveRefusedError` if they differ. */
export async function prepareRun(options: MoveOptions): Promise<Move> {
  const [before, after] = await Promise.all([
    readTenantTables(options.source.session),
    readTenantTables(options.target.session),
  ]);
  requireSameTables(before, after);
  return { ...options, run: randomUUID(), tables: after, groups: groupTables(after) };
}

/**
 * Makes this run the one that may go on: first on the target, so that no earlier run activates the tenant there any more. Returns how far
 * the move is.
 */
export async function claimMove({ source, target, tenant, run }: Move): Promise<ClaimedMove> {
  const copies = await target.session.query<{ seal: string | null }>(
    `UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1 AND state = 'incoming' AND peer = $3
     RETURNING progress ->> 'seal' AS seal`,
    [tenant.tenantId, run, source.name],
  );
  const [row] = copies.rows;
  const known = await stateOf(source.session, tenant.tenantId);
  const isSealed = known?.seal != null && known.seal === row?.seal;
  const copy = row && (isSealed ? 'sealed' : 'open');
  if (known === undefined) return { state: undefined, copy };
  if (known.peer !== target.name)
    throw new MoveRefusedError(
      `The tenant is moving to ${known.peer}. Repeat that command to end the move, or add --abort.`,
    );
  await source.session.query('UPDATE tenant_moves SET run = $2 WHERE tenant_id = $1', [tenant.tenantId, run]);
  return { state: known.state as SourceState, copy };
}

/** Reads the state of a tenant on a server; undefined if the tenant neither moves nor has moved away. */
export async function stateOf(session: MoveSession, tenantId: TenantId): Promise<MoveState | undefined> {
  const { rows } = await session.query<MoveState>(
    `SELECT state, peer, run, progress ->> 'seal' AS seal, deleted_at IS NOT NULL AS "isDeleted" FROM tenant_moves WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

/**
 * Whether the tenant works on a server, as of the move with the seal or later; null: as of its creation. False for a server that was restored
 * to a backup from before that move, although it says that the tenant works there.
 */
export async function hasActiveTenant(
  session: MoveSession,
  tenantId: TenantId,
  seal: string | null,
): Promise<boolean> {
  const { rows } = await session.query(
    `SELECT FROM tenants t WHERE tenant_id = $1 AND ($2::uuid IS NULL OR move_seal >= $2::uuid)
       AND NOT EXISTS (SELECT FROM tenant_moves m WHERE m.tenant_id = t.tenant_id AND m.state IN ('left', 'incoming'))`,
    [tenantId, seal],
  );
  return rows.length > 0;
}

/**
 * Ends the work of the tenant on a server that has it as of a time before its last move, or not at all, as after a restore of a backup.
 * Gateways that have it there look it up again. A move from there that the backup has begun ends as well. Call it only if the server `peer`
 * has the last state of the tenant. Repeatable.
 */
export async function endStaleWork(
  { session }: MoveServer,
  { name, tenantId }: Move['tenant'],
  peer: string,
): Promise<void> {
  await session.query(
    `INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, $2, 'left', $3, gen_random_uuid())
     ON CONFLICT (tenant_id) DO UPDATE SET state = 'left', peer = excluded.peer, run = excluded.run, progress = NULL,
       blocked_until = NULL, deleted_at = NULL, changed_at = now() WHERE tenant_moves.state IN ('leaving', 'blocked')`,
    [tenantId, name, peer],
  );
  const known = await stateOf(session, tenantId);
  if (known?.state !== 'left' && known?.state !== 'incoming') throw new TakenOverError();
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
 * Ends the work of the tenant on the source. First writes a new seal to both servers: a target without it was restored to an earlier backup,
 * so that its copy lacks rows. False if changes are left that were not copied, or if writes that have begun do not end in time.
 */
export async function endOnSource(move: Move): Promise<boolean> {
  const seal = newId();
  const { rowCount } = await move.target.session.query(
    `UPDATE tenant_moves SET progress = progress || jsonb_build_object('seal', $3::text)
     WHERE tenant_id = $1 AND run = $2 AND state = 'incoming'`,
    [move.tenant.tenantId, move.run, seal],
  );
  if (rowCount === 0) throw new TakenOverError();
  return await changeState(move, 'left', seal);
}

/**
 * Changes the state on the source once no transaction of the tenant writes: those that have passed the fence end first, and the next ones see
 * the new state. False if they do not end in time, or if the tenant cannot leave yet because changes are left that were not copied.
 */
async function changeState(
  { source, tenant, run }: Move,
  state: SourceState,
  seal?: string,
): Promise<boolean> {
  const tenantId = Number(tenant.tenantId);
  const blockedUntil = state === 'blocked' ? `clock_timestamp() + interval '${blockLimit}'` : 'NULL';
  const progress = seal === undefined ? 'NULL' : `'${JSON.stringify({ seal })}'`;
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

/** Deletes the copy on the target while it belongs to this run and is not active. */
export async function deleteCopy({ target, tenant, groups, run }: Move): Promise<void> {
  await deleteTenantRows(target.session, tenant.tenantId, groups, async () => {
    const { rowCount } = await target.session.query(
      "SELECT FROM tenant_moves WHERE tenant_id = $1 AND run = $2 AND state = 'incoming' FOR UPDATE",
      [tenant.tenantId, run],
    );
    if (rowCount === 0) throw new TakenOverError();
  });
}
