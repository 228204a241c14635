import type { TenantId } from '@continuity/kernel/database';
import { deleteLeftTenants } from './delete-tenant.ts';
import { dropIdleFences } from './fence.ts';
import { findPlaceById, type MovePlace } from './place.ts';
import { lockOnServer, tryLockTenant } from './run-locks.ts';
import { type MoveAddress, openDirectory, withSessions, withTriggers } from './run-servers.ts';
import type { MoveSession } from './session.ts';
import { hasActiveTenant } from './tenant-state.ts';

/**
 * Deletes the rows of tenants that left their server more than `graceSeconds` ago, on all servers, and triggers that earlier runs have left.
 * It keeps the rows of a tenant that does not work elsewhere. Returns a sentence for each server.
 */
export async function cleanServers(servers: readonly MoveAddress[], graceSeconds: number): Promise<string[]> {
  return await withSessions(async (open) => {
    const directory = await openDirectory(servers, open);
    const sessions = new Map<string, MoveSession>();
    for (const address of servers) sessions.set(address.name, await open(address));
    const sentences: string[] = [];
    for (const [server, session] of sessions) {
      const kept: string[] = [];
      const lock = async (tenantId: TenantId) =>
        (await tryLockTenant(directory, tenantId)) && (await lockOnServer(session, tenantId));
      const worksElsewhere = async (place: MovePlace) => {
        const other = place.server === server ? undefined : sessions.get(place.server);
        return other !== undefined && (await hasActiveTenant(other, place.tenantId, place.moveVersion));
      };
      const names = await deleteLeftTenants(session, graceSeconds, async (tenantId) => {
        if (!(await lock(tenantId))) return false;
        const place = await findPlaceById(directory, tenantId);
        if (place !== undefined && (await worksElsewhere(place))) return true;
        kept.push(place?.name ?? String(tenantId));
        return false;
      });
      const inUse = await dropIdleFences(session, lock);
      const sentence =
        names.length === 0
          ? `Nothing to delete on ${server}.`
          : `Deleted the rows of ${quoteAll(names)} on ${server}.`;
      const hint =
        kept.length === 0
          ? ''
          : ` Kept the rows of ${quoteAll(kept)}, because the tenant works on no other server: repeat its move, or end it by --abort.`;
      sentences.push(withTriggers(sentence + hint, inUse));
    }
    return sentences;
  });
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
