import { newId } from '@continuity/kernel/text';
import { isOlder } from '../ensure-tenant.ts';
import { dropFence } from './fence.ts';
import { switchPlace } from './place.ts';
import type { MoveOptions } from './prepare-move.ts';
import { inMoveTransaction } from './session.ts';
import { hasActiveTenant, markLeft, stateOf } from './tenant-state.ts';
import { readTenantTables } from './tenant-tables.ts';

/**
 * For a server `source` that was restored to a backup from before the tenant arrived: lets the tenant work on its previous server `target` again,
 * with the rows that it left there. What the tenant has written since is lost. Repeatable at each step. Returns the names of the tables whose
 * triggers stay. Returns undefined, and changes nothing, if `source` has the tenant as of its last move, or `target` lacks those rows.
 */
export async function takeBack({
  directory,
  source,
  target,
  tenant,
}: MoveOptions): Promise<string[] | undefined> {
  const { tenantId, moveVersion } = tenant;
  if (moveVersion === null || (await hasActiveTenant(source.session, tenantId, moveVersion)))
    return undefined;
  // The directory is older than both servers: the move that it lacks goes on.
  const known = await stateOf(source.session, tenantId);
  if (known?.moveVersion != null && isOlder(moveVersion, known.moveVersion)) return undefined;
  const { rows } = await target.session.query<{ has_left: boolean }>(
    `SELECT EXISTS (SELECT FROM tenant_moves m WHERE m.tenant_id = t.tenant_id AND m.state = 'left' AND m.deleted_at IS NULL
       AND m.progress ->> 'seal' = $2) AS has_left FROM tenants t WHERE tenant_id = $1`,
    [tenantId, moveVersion],
  );
  const hasLeft = rows[0]?.has_left === true;
  // Without them, the tenant may work on `target` already: an earlier run stopped before it changed the directory.
  if (!hasLeft && !(await hasActiveTenant(target.session, tenantId, moveVersion))) return undefined;
  await markLeft(source, tenant, target.name);
  if (hasLeft)
    await inMoveTransaction(target.session, async () => {
      await target.session.query('DELETE FROM tenant_moves WHERE tenant_id = $1', [tenantId]);
      await target.session.query('UPDATE tenants SET move_seal = $2 WHERE tenant_id = $1', [
        tenantId,
        newId(),
      ]);
    });
  const own = await target.session.query<{ moveVersion: string }>(
    'SELECT move_seal AS "moveVersion" FROM tenants WHERE tenant_id = $1',
    [tenantId],
  );
  await switchPlace(directory, tenantId, {
    from: source.name,
    to: target.name,
    moveVersion: own.rows[0]?.moveVersion ?? null,
  });
  return await dropFence(target.session, tenantId, await readTenantTables(target.session));
}
