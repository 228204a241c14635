import { isReadableHere } from '@continuity/kernel/database';
import { isOlder } from '../ensure-tenant.ts';
import type { MoveOptions, MoveServer } from './prepare-move.ts';
import { MoveRefusedError } from './refused-error.ts';
import { stateOf } from './tenant-state.ts';

/**
 * Throws a `MoveRefusedError` if the rows on the source are not the last state of the tenant, or are deleted: as after a restore of the
 * server with the directory, which names this source as of a time before. Then the tenant must not work on the source again.
 */
export async function requireLastState(options: MoveOptions): Promise<void> {
  const { source, target, tenant } = options;
  const known = await stateOf(source.session, tenant.tenantId);
  await requireNoLaterState(options, [target, ...(await options.openOthers())]);
  if (known?.isDeleted)
    throw new MoveRefusedError(
      `The tenant left ${source.name} for ${known.peer}, and its rows on ${source.name} are deleted. Restore a later backup of ${known.peer}.`,
    );
}

/** Throws a `MoveRefusedError` if the tenant works on one of the servers as of a later move than the directory and the source know. */
export async function requireNoLaterState(
  { source, target, tenant }: MoveOptions,
  servers: readonly MoveServer[],
): Promise<void> {
  const known = await stateOf(source.session, tenant.tenantId);
  const moveVersion = known?.moveVersion ?? null;
  // Of an earlier build.
  const hasNoVersion = known?.state === 'left' && moveVersion === null;
  for (const server of servers) {
    const { rows } = await server.session.query<{ moveVersion: string | null }>(
      `SELECT move_seal AS "moveVersion" FROM tenants t WHERE tenant_id = $1
         AND ($4 OR move_seal >= $2::uuid OR move_seal > $3::uuid OR $3::uuid IS NULL AND move_seal IS NOT NULL)
         AND ${isReadableHere('t.tenant_id')}`,
      [tenant.tenantId, moveVersion, tenant.moveVersion, hasNoVersion],
    );
    const [row] = rows;
    if (row === undefined) continue;
    if (server === target && known?.state === 'left' && !isOlder(row.moveVersion, moveVersion))
      throw new MoveRefusedError(
        `The tenant works on ${target.name} already. Repeat the move to end it, then move the tenant back to ${source.name}.`,
      );
    throw new MoveRefusedError(
      `The tenant works on ${server.name} as of a later move than the directory knows: the server with the directory was restored to an older backup. Restore a later backup of it. Or set server to '${server.name}' and move_seal to '${row.moveVersion}' in the row of the tenant in its table tenant_servers.`,
    );
  }
}
