import type { TenantId } from '@continuity/kernel/database';
import { MoveRefusedError, TakenOverError } from './refused-error.ts';
import type { MoveSession } from './session.ts';

/** Where the directory has a tenant. */
export interface MovePlace {
  name: string;
  tenantId: TenantId;
  server: string;
  /** Of the move that brought the tenant to its server; null if it was created there. */
  moveVersion: string | null;
}

const selectPlace =
  'SELECT name, tenant_id AS "tenantId", server, move_seal AS "moveVersion" FROM tenant_servers';

/** Finds a tenant in the directory by its name. Throws a `MoveRefusedError` if it is not listed. */
export async function findPlace(directory: MoveSession, name: string): Promise<MovePlace> {
  const { rows } = await directory.query<MovePlace>(`${selectPlace} WHERE name = $1`, [name]);
  const [place] = rows;
  if (place === undefined)
    throw new MoveRefusedError(
      `The directory lists no tenant "${name}". A gateway lists a tenant once it has read its token.`,
    );
  return place;
}

/** Finds a tenant in the directory by its id. */
export async function findPlaceById(
  directory: MoveSession,
  tenantId: TenantId,
): Promise<MovePlace | undefined> {
  const { rows } = await directory.query<MovePlace>(`${selectPlace} WHERE tenant_id = $1`, [tenantId]);
  return rows[0];
}

/**
 * Switches the directory to the server `to`, where the tenant works as of `moveVersion`. Repeatable. Throws a `TakenOverError` if the directory has
 * the tenant on neither of the two servers.
 */
export async function switchPlace(
  directory: MoveSession,
  tenantId: TenantId,
  { from, to, moveVersion }: { from: string; to: string; moveVersion: string | null },
): Promise<void> {
  const { rowCount } = await directory.query(
    'UPDATE tenant_servers SET server = $3, move_seal = $4 WHERE tenant_id = $1 AND server IN ($2, $3)',
    [tenantId, from, to, moveVersion],
  );
  if (rowCount === 0) throw new TakenOverError();
}
