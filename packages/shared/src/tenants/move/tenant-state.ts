import { isReadableHere, type TenantId } from '@continuity/kernel/database';
import type { Move, MoveServer } from './prepare-move.ts';
import { TakenOverError } from './refused-error.ts';
import type { MoveSession } from './session.ts';

interface MoveState {
  state: string;
  peer: string;
  run: string;
  moveVersion: string | null;
  /** Whether the rows of a tenant that has left were deleted. */
  isDeleted: boolean;
}

/** Reads the state of a tenant on a server; undefined if the tenant neither moves nor has moved away. */
export async function stateOf(session: MoveSession, tenantId: TenantId): Promise<MoveState | undefined> {
  const { rows } = await session.query<MoveState>(
    `SELECT state, peer, run, progress ->> 'seal' AS "moveVersion", deleted_at IS NOT NULL AS "isDeleted" FROM tenant_moves WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

/**
 * Whether the tenant works on a server, as of the move with this version or later; null: as of its creation. False for a server that was restored
 * to a backup from before that move, although it says that the tenant works there.
 */
export async function hasActiveTenant(
  session: MoveSession,
  tenantId: TenantId,
  moveVersion: string | null,
): Promise<boolean> {
  const { rows } = await session.query(
    `SELECT FROM tenants t WHERE tenant_id = $1 AND ($2::uuid IS NULL OR move_seal >= $2::uuid)
       AND ${isReadableHere('t.tenant_id')}`,
    [tenantId, moveVersion],
  );
  return rows.length > 0;
}

/**
 * Ends the work of the tenant on a server that has it as of a time before its last move, or not at all, as after a restore of a backup.
 * Gateways that have it there look it up again. A move from there that the backup has begun ends as well. Call it only if the server `peer`
 * has the last state of the tenant. Repeatable.
 */
export async function markLeft(
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
